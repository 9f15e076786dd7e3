package import JokesProtocol
package import Varlink

/// A blocking connection, which the first call opens. One thread uses it at a time.
package final class JokesConnection {
    /// The addresses, in the order in which they are tried.
    package let paths: [String]
    /// The timeout of the connection attempt and of each answer; nil for 10 s and none. After a timeout, call
    /// `disconnect` before the next call.
    package var timeout: Duration?
    private var client: VarlinkClient?

    package init(to paths: [String], timeout: Duration? = nil) { (self.paths, self.timeout) = (paths, timeout) }

    /// Connects to the first path at which a daemon answers, unless connected. If none does, throws the error of the first
    /// path with a socket, or else of the first path.
    @discardableResult
    package func connect() throws(ClientError) -> VarlinkClient {
        if let client { return client }
        do throws(VarlinkError) {
            let new = try connectToFirst(of: paths, within: timeout ?? .seconds(10))
            client = new
            return new
        } catch {
            throw ClientError(error)
        }
    }

    /// Closes the connection. The next call connects again.
    package func disconnect() { client = nil }

    package func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(ClientError) -> Method.Reply {
        let client = try connect()
        do throws(VarlinkError) {
            return try client.call(method.fullName, parameters, returning: Method.Reply.self, timeout: timeout)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: VarlinkError) -> ClientError {
        if case .timedOut = error, let timeout { return .timedOut(after: timeout) }
        return switch ClientError(error) {
        case .unknownError(let reply, _): .unknownError(reply, by: serviceName)
        case .unexpected: .unexpected(by: serviceName)
        case let other: other
        }
    }

    /// The name of the service, from another connection, because this one may still have replies of a stream.
    private var serviceName: ClientError.ServiceName? {
        let timeout = timeout ?? .seconds(1)
        return try? connectToFirst(of: paths, within: timeout).call("org.varlink.service.GetInfo", timeout: timeout)
    }

    /// Calls a method with several replies, and passes each to `take`, until the last one or an error. The timeout
    /// applies to the first reply.
    package func stream<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ take: (Method.Reply) throws -> Void
    ) throws {
        let client = try connect()
        do {
            let replies = try client.stream(method.fullName, parameters, returning: Method.Reply.self)
            var next = try replies.next(timeout: timeout)
            while let reply = next {
                try take(reply)
                next = try replies.next()
            }
        } catch let error as VarlinkError {
            throw failure(error)
        }
    }
}

/// A blocking connection to the first address at which a daemon answers. The timeout applies to each address.
package func connectToFirst(of addresses: [String], within time: Duration) throws(VarlinkError) -> VarlinkClient {
    try firstReached(of: addresses) { address throws(VarlinkError) in
        try VarlinkClient(connectingTo: address, timeout: time)
    }
}

/// Returns the first connection that succeeds. If all fail, throws the error of the first address at which something listens,
/// so that a hint does not start another daemon; or else the error of the first address.
func firstReached<Connection>(
    of addresses: [String], connect: (String) throws(VarlinkError) -> Connection
) throws(VarlinkError) -> Connection {
    var thrown: VarlinkError?
    for address in addresses {
        do throws(VarlinkError) {
            return try connect(address)
        } catch {
            if thrown == nil || thrown!.isAbsence && !error.isAbsence { thrown = error }
        }
    }
    throw thrown ?? .disconnected
}

extension VarlinkError {
    /// True if nothing listens at the address.
    fileprivate var isAbsence: Bool {
        if case .unreachable(_, _, let code) = self { absentCodes.contains(code) } else { false }
    }
}
