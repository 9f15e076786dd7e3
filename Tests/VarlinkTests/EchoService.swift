import TestSupport
import Unix
import Varlink

/// A service with a method of each kind, on its own loop, with a socket in its own folder.
final class EchoService: Sendable {
    static let text = """
        # What the tests call.
        interface org.example.echo

        type Word (text: string, weight: ?int)
        type Tone (low, high)

        # Answers what it gets.
        method Echo(text: string) -> (text: string)
        # Every kind of parameter.
        method Shapes(words: []Word, tone: ?Tone, ratio: ?float, flags: ?[string]bool, word: ?Word) -> (count: int)
        method Nothing() -> ()
        # Fails with the text.
        method Fail(text: string) -> ()
        # Is answered when `Release` is called, from another connection.
        method Hold(text: string) -> (text: string)
        method Release() -> (count: int)
        # [Requires 'more' flag]
        method Count(to: int) -> (number: int)
        # Stays open until the client goes.
        # [Supports 'more' flag]
        method Follow(size: ?int) -> (text: string)
        # Forgets its call.
        method Forget() -> ()
        # Is remembered.
        method Note(text: string) -> ()
        # Is remembered, after quicker calls.
        method Costly(text: string) -> ()
        # Answers how many values it gets.
        method Values(fields: ?object, numbers: ?[string]?int) -> (count: int)
        # Answers the same fields.
        method Fields(fields: object) -> (fields: object)
        # Its support for `more` is not in this comment.
        method Double(to: int) -> (number: int)
        method Missing() -> ()

        error Failed (text: string)

        """

    struct Text: Codable, Sendable, Equatable {
        var text: String
    }

    /// The errors of the interface, and one that JSON does not have.
    enum Failure: Codable, Equatable {
        case failed(text: String)
        case infinite(Double)

        private enum CodingKeys: String, CodingKey {
            case failed = "Failed"
            case infinite = "Infinite"
        }
    }

    struct Number: Codable, Sendable, Equatable {
        var number: Int
    }

    struct Count: Codable, Sendable, Equatable {
        var count: Int
    }

    struct Fields: Codable, Sendable, Equatable {
        var fields: [String: AnyJSON]
    }

    struct Word: Codable, Sendable, Equatable {
        var text: String
        var weight: Int?
    }

    struct Shapes: Codable, Sendable, Equatable {
        enum Tone: String, Codable { case low, high }
        var words: [Word]
        var tone: Tone?
        var ratio: Double?
        var flags: [String: Bool]?
        var word: Word?
    }

    /// Parameters of `Values`, of which only the numbers are decoded.
    struct Values: Codable, Sendable {
        var numbers: [String: Int?]?
    }

    struct To: Codable, Sendable {
        var to: Int
    }

    struct Size: Codable, Sendable {
        var size: Int?
    }

    let folder: TemporaryFolder
    let address: String
    let loop: VarlinkLoop
    let service: VarlinkService
    let state: EchoState
    let events: Mailbox<ServiceEvent>

    init(
        limits: ServiceLimits = ServiceLimits(), listeningAt address: String? = nil, and others: [VarlinkInterface] = []
    ) throws {
        let folder = try TemporaryFolder()
        let loop = try VarlinkLoop()
        let state = EchoState(loop)
        let events = try Mailbox<ServiceEvent>()
        let interface = try VarlinkInterface(Self.text, methods: Self.methods(state))
        service = VarlinkService(
            .init(vendor: "tests", product: "echo", version: "1", url: "https://example.org/"),
            interfaces: [interface] + others, limits: limits, on: loop,
            busy: ErrorReply("org.example.echo.Failed", Text(text: "busy")),
            explain: { ErrorReply("org.example.echo.Failed", Text(text: "\($0)")) }, log: { events.put($0) })
        self.folder = folder
        self.loop = loop
        self.state = state
        self.events = events
        self.address = address ?? folder.path("socket")
        try service.listen(at: self.address)
        try loop.start(name: "echo")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }

    /// Stops the loop, and waits for its end.
    func stop() throws {
        let stopped = try Mailbox<Void>()
        loop.perform { [service] in
            service.stop()
            stopped.put(())
        }
        try stopped.take("the service stopped")
    }

    static func methods(_ state: EchoState) -> [VarlinkMethod] {
        [
            .answer("Echo") { (request: Text) in request },
            .answer("Shapes") { (request: Shapes) in Count(count: request.words.count) },
            .answer("Fields") { (request: Fields) in request },
            .answer("Values") { (request: Values) in Count(count: request.numbers?.count ?? 0) },
            .handle("Double", more: .required) { (call: VarlinkCall<To, Number>) in
                call.send(Number(number: call.parameters.to))
                call.reply(Number(number: call.parameters.to * 2))
            },
            .answer("Nothing") { NoParameters() },
            .answer("Fail") { (request: Text) -> NoParameters in
                throw ErrorReply(Failure.failed(text: request.text), of: "org.example.echo")
            },
            .handle("Hold") { call in state.assumeIsolated { $0.hold(call) } },
            .answer("Release") { state.assumeIsolated { Count(count: $0.release()) } },
            .handle("Count") { (call: VarlinkCall<To, Number>) in
                for number in 1..<max(1, call.parameters.to) { call.send(Number(number: number)) }
                call.reply(Number(number: call.parameters.to))
            },
            .handle("Follow") { call in state.assumeIsolated { $0.follow(call) } },
            .answer("Note") { (request: Text) in
                state.assumeIsolated { $0.note(request.text) }
                return NoParameters()
            },
            .answer("Costly") { (request: Text) in
                state.assumeIsolated { $0.noteCostly(request.text) }
                return NoParameters()
            }.costly,
            .handle("Forget") { (_: VarlinkCall<NoParameters, NoParameters>) in },
        ]
    }
}

/// The state of the echo service: an actor on the loop, as in a daemon.
actor EchoState {
    private let loop: VarlinkLoop
    private var held: [VarlinkCall<EchoService.Text, EchoService.Text>] = []
    private var followers: [VarlinkCall<EchoService.Size, EchoService.Text>] = []
    /// The number of followers whose client has gone.
    private(set) var goneCount = 0
    /// The number of times that the kernel had taken all replies of a follower.
    private(set) var drainedCount = 0

    init(_ loop: VarlinkLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    var heldCount: Int { held.count }
    var heldMessageBytes: [Int] { held.map(\.messageBytes) }
    var followerCount: Int { followers.count }

    private(set) var notes: [String] = []

    func note(_ text: String) {
        notes.append(text)
    }

    /// Called once, within the next costly call.
    private var interruption: (@Sendable () -> Void)?

    func interruptCostlyCall(_ action: @escaping @Sendable () -> Void) {
        interruption = action
    }

    func noteCostly(_ text: String) {
        note(text)
        let action = interruption
        interruption = nil
        action?()
    }

    func hold(_ call: VarlinkCall<EchoService.Text, EchoService.Text>) {
        held.append(call)
    }

    func release() -> Int {
        defer { held = [] }
        for call in held { call.reply(call.parameters) }
        return held.count
    }

    /// Replies at once to all held calls, before the rest of the turn.
    func releaseAtOnce(_ afterwards: () -> Void) {
        for call in held { call.replyAtOnce(call.parameters) }
        held = []
        afterwards()
    }

    func follow(_ call: VarlinkCall<EchoService.Size, EchoService.Text>) {
        let text = EchoService.Text(text: String(repeating: "x", count: call.parameters.size ?? 1))
        guard call.wantsMore else { return call.reply(text) }
        followers.append(call)
        call.onClosed { [self] in assumeIsolated { $0.goneCount += 1 } }
        call.onDrained { [self] in assumeIsolated { $0.drainedCount += 1 } }
        call.send(text)
    }

    /// Sends a reply to all followers, whether they have taken the last one or not. Returns the number of followers that
    /// were told meanwhile that their client went.
    @discardableResult
    func force(_ text: String) -> Int {
        let before = goneCount
        for call in followers { call.send(EchoService.Text(text: text)) }
        return goneCount - before
    }

    /// Sends one reply, encoded once, to all followers that have no queued reply.
    func publish(_ text: String) throws -> (sent: Int, skipped: Int) {
        let reply = try EncodedReply(EchoService.Text(text: text), continues: true)
        followers.removeAll { !$0.isOpen }
        let ready = followers.filter(\.isDrained)
        for call in ready { call.send(reply) }
        return (ready.count, followers.count - ready.count)
    }
}
