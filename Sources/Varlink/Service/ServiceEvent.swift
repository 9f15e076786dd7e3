/// An event for the log of a service.
public enum ServiceEvent: Sendable, CustomStringConvertible {
    /// A client has connected.
    case connected(VarlinkPeer)
    /// A connection has ended normally.
    case disconnected(VarlinkPeer)
    /// A connection was refused, because there were too many.
    case refused(VarlinkPeer, limit: Int)
    /// The connection that was idle for the longest time was closed for another one.
    case closedIdle(VarlinkPeer)
    /// A stream was refused, because there were too many. The connection continues.
    case streamRefused(VarlinkPeer, limit: Int)
    /// A connection was closed, because the peer sent an invalid message.
    case malformed(VarlinkPeer, reason: String)
    /// A connection was closed, because its messages exceeded the limits.
    case overrun(VarlinkPeer, limit: Int)
    /// A handler failed with an error that is not a reply.
    case failed(VarlinkPeer, method: String, reason: String)
    /// No connection can be accepted.
    case acceptingPaused(reason: String)
    /// Connections can be accepted again.
    case acceptingResumed

    /// One line for a log, without a period.
    public var description: String {
        switch self {
        case .connected(let peer): "\(peer) connected, gid \(peer.gid)"
        case .disconnected(let peer): "\(peer) disconnected"
        case .refused(let peer, let limit): "\(peer) refused: limit of \(limit) clients reached"
        case .closedIdle(let peer): "\(peer) disconnected: idle, and other clients are waiting"
        case .streamRefused(let peer, let limit): "\(peer) refused: limit of \(limit) streams reached"
        case .malformed(let peer, let reason): "\(peer) disconnected: \(reason)"
        case .overrun(let peer, let limit): "\(peer) disconnected: more than \(limit) bytes are queued"
        case .failed(let peer, let method, let reason): "\(method) for \(peer) failed: \(reason)"
        case .acceptingPaused(let reason): "not accepting connections for now: \(reason)"
        case .acceptingResumed: "accepting connections again"
        }
    }
}

/// The client of a connection, from the kernel.
public struct VarlinkPeer: Sendable, Hashable, CustomStringConvertible {
    /// The number of the connection, from 1. Numbers are not used again.
    public let connection: Int
    /// The process ID; 0 if it is not visible, as in another container.
    public let pid: Int32
    /// The user ID.
    public let uid: UInt32
    /// The group ID.
    public let gid: UInt32

    /// For a log: `client 3 (pid 1200, uid 1000)`.
    public var description: String { "client \(connection) (pid \(pid), uid \(uid))" }
}
