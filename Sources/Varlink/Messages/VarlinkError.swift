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
        case .unreachable(let address, let reason, _): "Cannot reach \(address): \(reason)."
        case .invalidAddress(let address, let reason): "\(address) is no address of a service: \(reason)."
        case .disconnected: "The connection was closed before an answer came."
        case .timedOut: "No answer came in time."
        case .malformed(let reason): "The other side does not speak Varlink: \(reason)."
        case .unencodable(let reason): "Cannot write a value as JSON: \(reason)"
        case .unexpectedReply(let reason): "The answer is not what was asked for: \(reason)"
        case .refused(let reply): "The service answered \(reply)."
        case .invalidInterface(let line, let reason): "Line \(line) of the interface: \(reason)."
        case .system(let reason, _): reason
        }
    }
}
