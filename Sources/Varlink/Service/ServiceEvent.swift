/// Who is at the other end of a connection, as the kernel saw it connect.
public struct VarlinkPeer: Sendable, Hashable, CustomStringConvertible {
    /// The connection's number, from 1, not used again in the service's life.
    public let connection: Int
    /// The process; 0 where it cannot be seen from here, as across containers.
    public let pid: Int32
    /// The user.
    public let uid: UInt32
    /// The group.
    public let gid: UInt32

    /// For a log: `client 3 (pid 1200, uid 1000)`.
    public var description: String { "client \(connection) (pid \(pid), uid \(uid))" }
}

/// What a service tells its log.
public enum ServiceEvent: Sendable, CustomStringConvertible {
    /// Somebody connected.
    case connected(VarlinkPeer)
    /// The connection ended in order.
    case disconnected(VarlinkPeer)
    /// The connection was one too many; the peer was told so.
    case refused(VarlinkPeer, limit: Int)
    /// The connection was the one that had been idle longest, and was closed for another.
    case gaveWay(VarlinkPeer)
    /// The peer called for a stream that is one too many, and was told so; the connection goes on.
    case streamRefused(VarlinkPeer, limit: Int)
    /// The peer sent what is not Varlink; the connection was closed.
    case malformed(VarlinkPeer, reason: String)
    /// More waits for the peer, or for the end of its messages, than the limits say; the connection was closed.
    case overrun(VarlinkPeer, limit: Int)
    /// A handler failed with what is no reply.
    case failed(VarlinkPeer, method: String, reason: String)
    /// No connection can be accepted for now.
    case acceptingPaused(reason: String)
    /// Connections are accepted again.
    case acceptingResumed

    /// One line for a log, without a full stop.
    public var description: String {
        switch self {
        case .connected(let peer): "\(peer) connected, gid \(peer.gid)"
        case .disconnected(let peer): "\(peer) disconnected"
        case .refused(let peer, let limit): "\(peer) refused: limit of \(limit) clients reached"
        case .gaveWay(let peer): "\(peer) disconnected: idle, and other clients are waiting"
        case .streamRefused(let peer, let limit): "\(peer) refused: limit of \(limit) streams reached"
        case .malformed(let peer, let reason): "\(peer) disconnected: \(reason)"
        case .overrun(let peer, let limit): "\(peer) disconnected: more than \(limit) bytes are queued"
        case .failed(let peer, let method, let reason): "\(method) for \(peer) failed: \(reason)"
        case .acceptingPaused(let reason): "not accepting connections for now: \(reason)"
        case .acceptingResumed: "accepting connections again"
        }
    }
}

/// What a service allows its clients; beyond it they are refused, each in its own way.
public struct ServiceLimits: Sendable {
    /// The bytes of one message from a client; a longer one ends the connection.
    public var messageBytes = 1 << 20
    /// The connections at a time; those over it get an error to their first call, and are closed.
    public var connections = 1024
    /// The connections at a time of one user: the rest is left to the others.
    public var connectionsPerUser = 1016
    /// How long a connection may be idle, with no call under way and no answer to take, where another would be one too many:
    /// the one that has been so longest then gives way.
    public var idleTime: Duration = .seconds(10)
    /// The refused connections that are kept until they have called once; those over it are told at once, whatever they
    /// make of it.
    public var refusals = 64
    /// The streams at a time, one connection having one at most; a call for one more gets an error. Fewer than
    /// connections, so that there is room for who only asks.
    public var streams = 1000
    /// The bytes of calls that wait for the answer to an earlier one; beyond them the client's writes wait.
    public var pipelineBytes = 1 << 16
    /// The bytes of replies that wait for the client to read; beyond them its next calls wait.
    public var unreadBytes = 1 << 16
    /// The bytes of replies that a stream may pile up; beyond them the connection ends.
    public var outputBytes = 8 << 20
    /// The bytes that all connections may allocate together for messages, in and out, those encoded once for many counted
    /// once; beyond them the connections that hold the most end.
    public var totalBytes = 16 << 20
    /// The calls of one client that are answered in a row if no other client waits. Otherwise clients take turns, one call
    /// each.
    public var callsPerTurn = 16
    /// How long calls are answered before new connections, timers and the program's own work have their turn. A call that
    /// takes longer is finished.
    public var turnTime: Duration = .milliseconds(4)

    /// The defaults.
    public init() {}
}
