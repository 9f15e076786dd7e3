import Unix
import Varlink

/// A service with a method of each kind, whose replies depend only on the calls.
actor FuzzedService {
    static let name = "org.example.fuzz"
    private static let text = """
        interface org.example.fuzz
        type Inner (text: string, weight: ?int)
        type Tone (low, high)
        method Echo(text: string) -> (text: string)
        method Sum(numbers: []int, scale: ?float, tone: ?Tone, flags: ?[string]bool, inner: ?Inner) -> (count: int)
        method Fail(text: string) -> ()
        # Is answered when the trial says so.
        method Hold(text: string) -> (text: string)
        # [Requires 'more' flag]
        method Count(to: int) -> (number: int)
        # Goes on until the trial ends it.
        # [Supports 'more' flag]
        method Follow() -> (text: string)
        # Forgets its call.
        method Forget() -> ()
        method Missing() -> ()
        error Failed (text: string)
        """

    struct Text: Codable, Sendable {
        var text: String
    }

    private struct Sum: Codable {
        struct Inner: Codable {
            var text: String
            var weight: Int?
        }
        enum Tone: String, Codable { case low, high }
        var numbers: [Int]
        var scale: Double?
        var tone: Tone?
        var flags: [String: Bool]?
        var inner: Inner?
    }

    private struct Count: Codable {
        var count: Int
    }

    private struct To: Codable {
        var to: Int
    }

    private struct Number: Codable {
        var number: Int
    }

    private nonisolated let loop: EventLoop
    private var held: [VarlinkCall<Text, Text>] = []
    private var followers: [VarlinkCall<NoParameters, Text>] = []

    init(on loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Small limits, which a few hundred bytes exceed.
    static var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.messageBytes = 1024
        limits.pipelineBytes = 256
        limits.unreadBytes = 256
        limits.outputBytes = 1 << 14
        limits.totalBytes = 1 << 15
        limits.callsPerTurn = 4
        return limits
    }

    /// Returns a service with these methods, which logs its events.
    nonisolated func makeService(log: @escaping @Sendable (ServiceEvent) -> Void) throws(VarlinkError) -> VarlinkService
    {
        VarlinkService(
            .init(vendor: "v", product: "p", version: "1", url: ""),
            interfaces: [try VarlinkInterface(Self.text, methods: methods)], limits: Self.limits,
            on: VarlinkLoop(loop), explain: { ErrorReply("\(Self.name).Failed", Text(text: "\($0)")) }, log: log)
    }

    private nonisolated var methods: [VarlinkMethod] {
        [
            .answer("Echo") { (request: Text) in request },
            .answer("Sum") { (request: Sum) in Count(count: request.numbers.count) },
            .answer("Fail") { (request: Text) -> NoParameters in throw ErrorReply("\(Self.name).Failed", request) },
            .handle("Hold") { call in self.assumeIsolated { $0.held.append(call) } },
            .handle("Count") { (call: VarlinkCall<To, Number>) in
                // Random bytes may request any number.
                let last = min(max(1, call.parameters.to), 4)
                for number in 1..<last { call.send(Number(number: number)) }
                call.reply(Number(number: last))
            },
            .handle("Follow") { (call: VarlinkCall<NoParameters, Text>) in
                guard call.wantsMore else { return call.reply(Text(text: "once")) }
                call.send(Text(text: "first"))
                self.assumeIsolated { $0.followers.append(call) }
            },
            .handle("Forget") { (_: VarlinkCall<NoParameters, NoParameters>) in },
        ]
    }

    /// Replies to the held calls.
    func release() {
        let calls = held
        held = []
        for call in calls { call.reply(call.parameters) }
    }

    /// Sends the text to all followers that have no queued reply.
    func publish(_ text: String) throws {
        let reply = try EncodedReply(Text(text: text), continues: true)
        for call in followers where call.isOpen && call.isDrained { call.send(reply) }
    }

    /// Ends all streams.
    func endStreams() {
        let calls = followers
        followers = []
        for call in calls { call.reply(Text(text: "end")) }
    }
}
