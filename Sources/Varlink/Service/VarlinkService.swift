package import Unix

/// Serves interfaces to any number of clients, all on one loop.
///
/// `org.varlink.service` is built in. Calls are checked against the interface text before a handler sees them: unknown
/// parameters, missing ones and wrong types are answered with `InvalidParameter` and the parameter's name.
///
/// It lives from the first `listen` until `stop`, whoever else holds it. Nothing a client does delays another by more than
/// its fair share, or takes more memory than the limits say.
///
/// Connections take turns. In each turn of the loop, the calls of all clients are answered for `ServiceLimits.turnTime` at
/// most, and at least one of them. What costs much (calls of methods that are `costly`, long calls, the replies of
/// streams) waits in a queue of its own, behind the other calls.
///
/// `@unchecked Sendable`: its state is touched on the loop's thread alone, which every method checks.
public final class VarlinkService: @unchecked Sendable {
    /// What `org.varlink.service.GetInfo` tells.
    public struct Information: Sendable {
        let vendor: String
        let product: String
        let version: String
        let url: String

        /// Who made the service, what it is called, and where to read about it.
        public init(vendor: String, product: String, version: String, url: String) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
        }
    }

    let loop: EventLoop
    /// What it allows its clients.
    package let limits: ServiceLimits
    let methods: [String: ServiceMethod]
    let log: @Sendable (ServiceEvent) -> Void
    let explain: @Sendable (any Error) -> ErrorReply
    private let busy: ErrorReply
    /// What a connection that is one too many gets for its first call.
    let refusal: EncodedReply

    private let interfaceNames: Set<String>
    private var listeners: [ServiceListener] = []
    private var connections: [Int: ServiceConnection] = [:]
    private var refusedCount = 0
    /// The connections of each user, refused ones not counted.
    private var connectionsOfUsers: [UInt32: Int] = [:]
    /// The streams that are open.
    package private(set) var streamCount = 0
    /// What all connections hold of messages.
    package private(set) var heldBytes = 0
    private var lastNumber = 0
    /// Those with calls to answer or replies to send.
    private var prompt = TurnQueue()
    /// Those with a costly call to answer, or replies of a stream to send.
    private var costly = TurnQueue()
    private var hasScheduledTurns = false
    /// The most bytes held since memory was last returned.
    private var peakBytes = 0
    private var receiveBuffer = ReceiveBuffer(byteCount: 1 << 16)

    /// A service that does nothing until it listens.
    ///
    /// - Parameters:
    ///   - information: what the service tells of itself.
    ///   - interfaces: what it serves, `org.varlink.service` not among them.
    ///   - limits: what it allows its clients.
    ///   - loop: where it lives, and its handlers are called.
    ///   - busy: what a client is answered that is one too many, or calls for a stream that is.
    ///   - explain: the reply where a handler fails with what is no `ErrorReply`; the log gets the failure either way.
    ///   - log: is called on the loop.
    public init(
        _ information: Information, interfaces: [VarlinkInterface], limits: ServiceLimits = ServiceLimits(),
        on loop: VarlinkLoop, busy: ErrorReply = .permissionDenied,
        explain: @escaping @Sendable (any Error) -> ErrorReply,
        log: @escaping @Sendable (ServiceEvent) -> Void = { _ in }
    ) {
        self.loop = loop.events
        self.limits = limits
        self.explain = explain
        self.log = log
        self.busy = busy
        refusal = EncodedReply(busy)
        let all = [ServiceInterface.make(information, interfaces)] + interfaces
        interfaceNames = Set(all.map(\.description.name))
        methods = ServiceMethod.table(of: all)
    }

    // MARK: Listening

    /// Listens at the address, which is what `VarlinkAddress` reads, in place of a dead socket there.
    ///
    /// Who may connect is told by the mode (that of the address, where it says one), which the socket's file gets
    /// whatever the umask.
    /// - Throws: `VarlinkError.unreachable`, with EADDRINUSE where somebody listens there already; `.invalidAddress`.
    public func listen(at address: String, mode: UInt32 = 0o600) throws(VarlinkError) {
        let place = try VarlinkAddress(address)
        do throws(SystemError) {
            try serve(try ListeningSocket(at: place.socket, mode: place.mode ?? mode))
        } catch {
            // A failure of another file, such as the lock file, names it.
            let reason = error.subject == place.place ? error.reason : error.description
            throw .unreachable(address: place.place, reason: reason, errno: error.code)
        }
    }

    /// Serves a listening socket; it is closed, and its file removed, when the service stops.
    package func serve(_ socket: consuming ListeningSocket) throws(SystemError) {
        loop.checkIsolated()
        listeners.append(try ServiceListener(socket, of: self))
    }

    /// Serves one client whose connection was made elsewhere, within the same limits as all others.
    package func serve(connected socket: consuming Descriptor) throws(SystemError) {
        loop.checkIsolated()
        try StreamSocket.stopWaiting(socket.rawValue)
        try welcome(socket)
    }

    /// Stops listening and ends all connections, with what can be written without waiting.
    public func stop() {
        loop.checkIsolated()
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections.values {
            connection.finish()
        }
    }

    /// The clients that are connected, refused ones not counted.
    public var connectionCount: Int {
        loop.checkIsolated()
        return connections.count - refusedCount
    }

    // MARK: For listeners

    /// - Throws: `SystemError` where the kernel lacks the means to serve it; it is closed then.
    func welcome(_ socket: consuming Descriptor) throws(SystemError) {
        lastNumber += 1
        let credentials = try PeerCredentials(of: socket.rawValue)
        let peer = VarlinkPeer(
            connection: lastNumber, pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
        if isFull(for: peer.uid) { makeRoom(for: peer.uid) }
        let isRefused = isFull(for: peer.uid)
        let limit = connectionCount >= limits.connections ? limits.connections : limits.connectionsPerUser
        if isRefused && refusedCount >= limits.refusals {
            ServiceRefusal.send(refusal, to: socket)
            log(.refused(peer, limit: limit))
            return
        }
        let connection = try ServiceConnection(socket, peer: peer, of: self, isRefused: isRefused)
        connections[peer.connection] = connection
        if isRefused { refusedCount += 1 } else { connectionsOfUsers[peer.uid, default: 0] += 1 }
        log(isRefused ? .refused(peer, limit: limit) : .connected(peer))
    }

    private func isFull(for user: UInt32) -> Bool {
        connectionCount >= limits.connections || connectionsOfUsers[user, default: 0] >= limits.connectionsPerUser
    }

    /// Ends the connection that has been idle longest, where one has been for long: who holds what they do not use keeps
    /// nobody out.
    private func makeRoom(for user: UInt32) {
        let isOverall = connectionCount >= limits.connections
        let longest = connections.values.lazy
            .filter { !$0.isRefused && (isOverall || $0.peer.uid == user) }
            .compactMap { connection in connection.idleSince.map { (since: $0, connection: connection) } }
            .min { $0.since < $1.since }
        guard let longest, longest.since.advanced(by: limits.idleTime) <= .now else { return }
        longest.connection.giveWay()
    }

    // MARK: For connections

    /// Gives the connection a turn at the end of this turn of the loop or a later one.
    func mark(_ connection: ServiceConnection) {
        guard !connection.isMarked else { return }
        connection.isMarked = true
        prompt.append(connection)
        scheduleTurns()
    }

    /// Gives the connection a turn for what costs much.
    func markCostly(_ connection: ServiceConnection) {
        guard !connection.isMarkedCostly else { return }
        connection.isMarkedCostly = true
        costly.append(connection)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !hasScheduledTurns else { return }
        hasScheduledTurns = true
        loop.atEndOfTurn { [self] in giveTurns() }
    }

    /// Gives each waiting connection a turn, until the time is up; at least one of each queue has one.
    private func giveTurns() {
        hasScheduledTurns = false
        let end = BootInstant.now.advanced(by: limits.turnTime)
        // Those that are marked meanwhile wait for the next turn of the loop: what happened in between comes first.
        for _ in 0..<prompt.count {
            let connection = prompt.removeFirst()
            connection.isMarked = false
            connection.takeTurn(isAlone: prompt.isEmpty)
            if BootInstant.now >= end { break }
        }
        for _ in 0..<costly.count {
            let connection = costly.removeFirst()
            connection.isMarkedCostly = false
            connection.takeCostlyTurn()
            if BootInstant.now >= end { break }
        }
        if !prompt.isEmpty || !costly.isEmpty { scheduleTurns() }
    }

    /// Reads once, through a buffer that all connections share.
    func receive(from descriptor: Int32, into reader: inout FrameReader) throws(SystemError) -> StreamSocket.Transfer {
        try receiveBuffer.receive(from: descriptor, into: &reader)
    }

    /// Takes note of memory that a connection holds now or has let go; ends those that hold the most where all hold
    /// too much.
    func account(_ change: Int) {
        heldBytes += change
        guard change > 0 else { return returnMemoryAfterPeak() }
        peakBytes = max(peakBytes, heldBytes)
        while heldBytes > limits.totalBytes,
            let heaviest = connections.values.max(by: { $0.weight < $1.weight }), heaviest.weight > 0
        {
            heaviest.giveUp(limit: limits.totalBytes)
        }
    }

    /// A peak of this size leaves enough free memory behind to be worth the time.
    private static let highPeak = 4 << 20

    private func returnMemoryAfterPeak() {
        guard peakBytes >= Self.highPeak, heldBytes <= peakBytes / 4 else { return }
        peakBytes = heldBytes
        loop.atEndOfTurn { returnFreeMemory() }
    }

    /// A connection answers another call now, or none.
    func countStreams(_ old: CallChannel?, _ new: CallChannel?) {
        streamCount += (new?.wantsMore == true ? 1 : 0) - (old?.wantsMore == true ? 1 : 0)
    }

    /// What is answered to a call for a stream that is one too many.
    func refuseStream(_ peer: VarlinkPeer) -> ErrorReply {
        log(.streamRefused(peer, limit: limits.streams))
        return busy
    }

    func forget(_ connection: ServiceConnection) {
        guard connections.removeValue(forKey: connection.peer.connection) != nil else { return }
        if connection.isRefused {
            refusedCount -= 1
        } else {
            let rest = connectionsOfUsers[connection.peer.uid, default: 0] - 1
            connectionsOfUsers[connection.peer.uid] = rest > 0 ? rest : nil
        }
        for listener in listeners { listener.resume() }
    }

    /// What is answered to a call of a method that is not in the table.
    func lacks(_ method: String) -> ErrorReply {
        let dot = method.utf8.lastIndex(of: UInt8(ascii: "."))
        guard let interface = dot.map({ String(method[..<$0]) }), !interfaceNames.contains(interface) else {
            return .methodNotFound(method.shortenedForReply)
        }
        return .interfaceNotFound(interface.shortenedForReply)
    }
}
