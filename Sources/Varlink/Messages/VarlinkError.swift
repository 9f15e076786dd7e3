/// An error of a client or service. The cases are stable.
public enum VarlinkError: Error, Sendable, CustomStringConvertible {
    /// No service could be reached at the address, or the address cannot be used for listening. `errno` is the kernel's
    /// code.
    case unreachable(address: String, reason: String, errno: Int32)
    /// The text is not an address of a service.
    case invalidAddress(address: String, reason: String)
    /// The other side closed the connection before the reply.
    case disconnected
    /// The reply did not arrive in time.
    case timedOut
    /// The client takes no call now: a stream has not ended, or an earlier call left replies unread. Connect again.
    case notReady(reason: String)
    /// The other side sent bytes that are not Varlink.
    case malformed(reason: String)
    /// A value could not be encoded as JSON, such as an infinite number.
    case unencodable(reason: String)
    /// The parameters of a reply do not have the expected type.
    case unexpectedReply(reason: String)
    /// The service replied with an error.
    case refused(ErrorReply)
    /// The text is not an interface description. Lines are counted from 1.
    case invalidInterface(line: Int, reason: String)
    /// A system call failed.
    case system(reason: String, errno: Int32)

    /// One sentence.
    public var description: String {
        switch self {
        case .unreachable(let address, let reason, _): "cannot reach \(address): \(reason)"
        case .invalidAddress(let address, let reason): "invalid address '\(address)': \(reason)"
        case .disconnected: "connection closed before a reply arrived"
        case .timedOut: "timed out waiting for a reply"
        case .notReady(let reason): "cannot use the connection: \(reason)"
        case .malformed(let reason): "invalid Varlink message: \(reason)"
        case .unencodable(let reason): "cannot encode a value as JSON: \(reason)"
        case .unexpectedReply(let reason): "unexpected reply: \(reason)"
        case .refused(let reply): "the service replied with error \(reply)"
        case .invalidInterface(let line, let reason): "invalid interface description, line \(line): \(reason)"
        case .system(let reason, _): reason
        }
    }
}

/// Replies that a client has not asked for. The next call must not get them.
extension VarlinkError {
    static let leftOver = malformed(reason: "a reply arrived without a call")
    static let unrequestedSeries = malformed(reason: "an unrequested series of replies")
}
