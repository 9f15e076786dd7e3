package import Unix

/// Serves interfaces to clients on one loop.
///
/// `org.varlink.service` is built in. Calls are checked against the interface text before they reach a handler: the
/// reply to an unknown, missing or wrong parameter is `InvalidParameter` with its name.
///
/// It stays in memory from the first `listen` until `stop`. Connections take turns. In each turn of the loop, calls are
/// answered for at most `ServiceLimits.turnTime`, and at least one of them. Costly work waits in its own queue until
/// the other calls are answered: calls of `costly` methods, long calls, and replies of streams.
///
/// `@unchecked Sendable`: its state is only used on the loop's thread, which every method checks.
public final class VarlinkService: @unchecked Sendable {
    let loop: EventLoop
    /// The limits for clients.
    package let limits: ServiceLimits
    let methods: [String: ServiceMethod]
    let log: @Sendable (ServiceEvent) -> Void
    let explain: @Sendable (any Error) -> ErrorReply
    private let busy: ErrorReply

    private let interfaceNames: Set<String>
    private var listeners: [ServiceListener] = []
    private var connections: [Int: ServiceConnection] = [:]
    /// The number of connections of each user.
    private var connectionsOfUsers: [UInt32: Int] = [:]
    /// The number of open streams.
    package private(set) var streamCount = 0
    /// The memory of all messages, in bytes.
    package private(set) var heldBytes = 0
    private var lastNumber = 0
    /// The connections with calls to answer or replies to send.
    private var prompt: [ServiceConnection] = []
    /// The connections with a costly call to answer, or replies of a stream to send.
    private var costly: [ServiceConnection] = []
    private var hasScheduledTurns = false
    /// The buffer for reads of all connections. A connection copies each read into a block of at least its size. In a
    /// program whose malloc returns freed blocks of 64 KiB to the kernel, that took longer than answering the calls.
    var receiveBuffer = [UInt8](repeating: 0, count: 1 << 14)

    /// Creates a service. Call `listen` or `serve` to start it.
    ///
    /// - Parameters:
    ///   - information: The reply to `GetInfo`.
    ///   - interfaces: The interfaces without `org.varlink.service`.
    ///   - limits: The limits for clients.
    ///   - loop: The loop of the service and its handlers.
    ///   - busy: The reply if there are too many clients or streams.
    ///   - explain: Returns the reply for an error of a handler that is not an `ErrorReply`, which is also logged.
    ///   - log: Called on the loop for each event.
    public init(
        _ information: ServiceInformation, interfaces: [VarlinkInterface], limits: ServiceLimits = ServiceLimits(),
        on loop: VarlinkLoop, busy: ErrorReply = .permissionDenied,
        explain: @escaping @Sendable (any Error) -> ErrorReply,
        log: @escaping @Sendable (ServiceEvent) -> Void = { _ in }
    ) {
        self.loop = loop.events
        self.limits = limits
        self.explain = explain
        self.log = log
        self.busy = busy
        let all = [ServiceInterface.make(information, interfaces)] + interfaces
        interfaceNames = Set(all.map(\.description.name))
        methods = ServiceMethod.table(of: all)
    }

    // MARK: Listening

    /// Listens at a `VarlinkAddress`. Replaces a socket there on which no process listens.
    ///
    /// The file of the socket has the mode of the address, or else `mode`, without the umask. `stop` removes it. Only a
    /// process that is killed leaves it, and its next start replaces it. During this call, the file `PATH.lock` excludes
    /// other processes that start at the same time; it is removed before this method returns.
    /// - Throws: `VarlinkError.unreachable`, with EADDRINUSE if another process listens there; `.invalidAddress`.
    public func listen(at address: String, mode: UInt32 = 0o600) throws(VarlinkError) {
        let parsed = try VarlinkAddress(address)
        try parsed.open { (address) throws(SystemError) in
            try serve(try ListeningSocket(at: address, mode: parsed.mode ?? mode))
        }
    }

    /// Serves a listening socket. When the service stops, the socket is closed and its file removed.
    package func serve(_ socket: consuming ListeningSocket) throws(SystemError) {
        loop.checkIsolated()
        listeners.append(try ServiceListener(socket, of: self))
    }

    /// Serves a connection that was opened elsewhere, within the limits.
    package func serve(connected socket: consuming Descriptor) throws(SystemError) {
        loop.checkIsolated()
        try StreamSocket.stopWaiting(socket.rawValue)
        try welcome(socket)
    }

    /// Stops listening and ends all connections, after writing what the sockets take without waiting.
    public func stop() {
        loop.checkIsolated()
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections.values { connection.finish() }
        // The loop may end before its next turn. Queued connections would then keep this object in memory.
        prompt = []
        costly = []
    }

    /// The number of connected clients.
    public var connectionCount: Int {
        loop.checkIsolated()
        return connections.count
    }

    // MARK: For listeners

    /// - Throws: `SystemError` if the kernel is out of memory. The connection is closed then.
    func welcome(_ socket: consuming Descriptor) throws(SystemError) {
        lastNumber += 1
        let process = try StreamSocket.peer(of: socket.rawValue)
        let peer = VarlinkPeer(connection: lastNumber, pid: process.pid, uid: process.uid, gid: process.gid)
        if isFull(for: peer.uid) { closeLongestIdle(for: peer.uid) }
        guard !isFull(for: peer.uid) else {
            // The reply to its first call, which may not have arrived. A client reads it also if its write fails.
            _ = try? EncodedReply(busy).frame.withUnsafeBytes { try StreamSocket.send($0, to: socket.rawValue) }
            let isOverall = connections.count >= limits.connections
            return log(.refused(peer, limit: isOverall ? limits.connections : limits.connectionsPerUser))
        }
        connections[peer.connection] = try ServiceConnection(socket, peer: peer, of: self)
        connectionsOfUsers[peer.uid, default: 0] += 1
        log(.connected(peer))
    }

    private func isFull(for user: UInt32) -> Bool {
        connections.count >= limits.connections || connectionsOfUsers[user, default: 0] >= limits.connectionsPerUser
    }

    /// Ends the connection that was idle for the longest time, if it was long enough.
    private func closeLongestIdle(for user: UInt32) {
        let isOverall = connections.count >= limits.connections
        let longest = connections.values.lazy
            .filter { isOverall || $0.peer.uid == user }
            .compactMap { connection in connection.idleSince.map { (since: $0, connection: connection) } }
            .min { $0.since < $1.since }
        guard let longest, longest.since.advanced(by: limits.idleTime) <= .now else { return }
        longest.connection.close(saying: .closedIdle(longest.connection.peer))
    }

    // MARK: For connections

    /// Queues the connection for a turn.
    func enqueue(_ connection: ServiceConnection) {
        guard !connection.isQueued else { return }
        connection.isQueued = true
        prompt.append(connection)
        scheduleTurns()
    }

    /// Queues the connection for a costly turn.
    func enqueueCostly(_ connection: ServiceConnection) {
        guard !connection.isQueuedCostly else { return }
        connection.isQueuedCostly = true
        costly.append(connection)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !hasScheduledTurns else { return }
        hasScheduledTurns = true
        loop.atEndOfTurn { [self] in runTurns() }
    }

    /// Gives waiting connections their turns until the time is up, and at least one from each queue.
    private func runTurns() {
        hasScheduledTurns = false
        let end = BootInstant.now.advanced(by: limits.turnTime)
        // Connections that are queued meanwhile wait for the next turn of the loop, after new events.
        for _ in prompt.indices where !prompt.isEmpty {
            let connection = prompt.removeFirst()
            connection.isQueued = false
            connection.takeTurn(isAlone: prompt.isEmpty)
            if BootInstant.now >= end { break }
        }
        for _ in costly.indices where !costly.isEmpty {
            let connection = costly.removeFirst()
            connection.isQueuedCostly = false
            connection.takeCostlyTurn()
            if BootInstant.now >= end { break }
        }
        if !(prompt.isEmpty && costly.isEmpty) { scheduleTurns() }
    }

    /// Updates the memory of a connection. Ends the connections with the most memory if the sum exceeds the limit.
    func account(_ change: Int) {
        heldBytes += change
        while heldBytes > limits.totalBytes,
            let heaviest = connections.values.max(by: { $0.weight < $1.weight }), heaviest.weight > 0
        {
            heaviest.close(saying: .overrun(heaviest.peer, limit: limits.totalBytes))
        }
    }

    /// A connection has another current call, or none.
    func countStreams(_ old: CallChannel?, _ new: CallChannel?) {
        streamCount += (new?.wantsMore == true ? 1 : 0) - (old?.wantsMore == true ? 1 : 0)
    }

    /// The reply to a call for a stream if there are too many.
    func tooManyStreamsError(_ peer: VarlinkPeer) -> ErrorReply {
        log(.streamRefused(peer, limit: limits.streams))
        return busy
    }

    func forget(_ connection: ServiceConnection) {
        guard connections.removeValue(forKey: connection.peer.connection) != nil else { return }
        let user = connection.peer.uid
        let count = connectionsOfUsers[user, default: 1] - 1
        connectionsOfUsers[user] = count == 0 ? nil : count
        for listener in listeners { listener.resume() }
    }

    /// The reply to a call of an unknown method.
    func unknownMethodError(_ method: String) -> ErrorReply {
        let dot = method.utf8.lastIndex(of: UInt8(ascii: "."))
        guard let interface = dot.map({ String(method[..<$0]) }), !interfaceNames.contains(interface) else {
            return .methodNotFound(method.shortenedForReply)
        }
        return .interfaceNotFound(interface.shortenedForReply)
    }
}
