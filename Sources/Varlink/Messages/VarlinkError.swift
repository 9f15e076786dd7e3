/// Why something could not be done with Varlink; the case is the stable code.
public enum VarlinkError: Error, Sendable {
    /// Nobody could be reached at the address, or nothing could listen there. `errno` is the kernel's code.
    case unreachable(address: String, reason: String, errno: Int32)
    /// The text is not the address of a service.
    case invalidAddress(address: String, reason: String)
    /// The other side closed the connection before it had answered.
    case disconnected
    /// The answer did not come in time.
    case timedOut
    /// The other side sent what is not Varlink.
    case malformed(reason: String)
    /// A value could not be written as JSON: a number that is infinite or not a number, or an error of its own.
    case unencodable(reason: String)
    /// An answer came whose parameters are not what was asked for.
    case unexpectedReply(reason: String)
    /// The service answered with an error.
    case refused(ErrorReply)
    /// The text is not an interface description; the first line is 1.
    case invalidInterface(line: Int, reason: String)
    /// The kernel refused something that is not about an address.
    case system(reason: String, errno: Int32)
}

extension VarlinkError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .unreachable(let address, let reason, _): "cannot reach \(address): \(reason)"
        case .invalidAddress(let address, let reason): "invalid address '\(address)': \(reason)"
        case .disconnected: "connection closed before a reply arrived"
        case .timedOut: "timed out waiting for a reply"
        case .malformed(let reason): "invalid Varlink message: \(reason)"
        case .unencodable(let reason): "cannot encode a value as JSON: \(reason)"
        case .unexpectedReply(let reason): "unexpected reply: \(reason)"
        case .refused(let reply): "the service replied with error \(reply)"
        case .invalidInterface(let line, let reason): "invalid interface description, line \(line): \(reason)"
        case .system(let reason, _): reason
        }
    }
}
