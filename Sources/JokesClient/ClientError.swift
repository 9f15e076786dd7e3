package import JokesProtocol
package import Varlink

/// Why a call to the daemon came to nothing.
package enum ClientError: Error, Sendable {
    /// No daemon can be at such an address, whatever runs; the reason is a sentence.
    case noAddress(reason: String)
    /// Nobody answers at the path. `reason` is the kernel's; the code is its errno.
    case unreachable(path: String, reason: String, errno: Int32)
    /// The daemon said no, in the words of its interface.
    case refused(JokesError)
    /// The daemon, or whoever answers there, said no in other words: another version, or another service.
    case misunderstood(ErrorReply, by: ServiceName? = nil)
    /// What answers there took the call, and answered with something else than was asked for.
    case unexpected(by: ServiceName? = nil)
    /// The daemon took the call, and said nothing for this time.
    case silent(for: Duration)
    /// The connection ended, or what came over it was not the protocol. Without a hint, `doctor` may know more.
    case broken(reason: String, hint: String? = nil)

    /// What a service says that it is.
    package struct ServiceName: Decodable, Hashable, Sendable {
        package var product: String
        package var version: String

        package init(product: String, version: String) {
            self.product = product
            self.version = version
        }
    }

    /// What an error of the wire means to a caller.
    package init(_ error: VarlinkError) {
        switch error {
        case .unreachable(let path, let reason, let errno):
            self = .unreachable(path: path, reason: reason, errno: errno)
        case .refused(let reply):
            let parameters = try? reply.parameters(as: JokesError.Parameters.self)
            self =
                parameters.flatMap { JokesError(fullName: reply.name, parameters: $0) }.map { .refused($0) }
                ?? .misunderstood(reply)
        case .invalidAddress(let address, let reason):
            self = .noAddress(reason: "'\(address)' is not a socket address: \(reason).")
        case .unexpectedReply: self = .unexpected()
        case .malformed:
            self = .broken(
                reason: "The service at this socket sent an invalid answer; it may not be jokesd.",
                hint: otherSocketHint)
        default:
            self = .broken(reason: error.description)
        }
    }
}
