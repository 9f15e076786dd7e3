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
