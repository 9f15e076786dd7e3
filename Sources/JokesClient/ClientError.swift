package import JokesProtocol
package import Varlink

/// The failure of a call to the daemon.
package enum ClientError: Error, Sendable {
    /// The address is invalid. The reason is a sentence.
    case noAddress(reason: String)
    /// The connection failed, with the kernel's reason and errno.
    case unreachable(path: String, reason: String, errno: Int32)
    /// The daemon returned an error of its interface.
    case refused(JokesError)
    /// The service returned an unknown error: it has another version, or is not jokesd.
    case misunderstood(ErrorReply, by: ServiceName? = nil)
    /// The service sent a reply that does not fit the call.
    case unexpected(by: ServiceName? = nil)
    /// The daemon did not answer in this time.
    case silent(for: Duration)
    /// The connection ended, or the service sent invalid data.
    case broken(reason: String, hint: String? = nil)

    /// The identity that a service reports.
    package struct ServiceName: Decodable, Hashable, Sendable {
        package var product: String
        package var version: String

        package init(product: String, version: String) {
            self.product = product
            self.version = version
        }
    }

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
