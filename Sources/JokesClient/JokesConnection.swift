package import JokesProtocol
package import Varlink

/// A connection for programs that ask and wait. It has no thread; one thread uses it at a time.
package final class JokesConnection {
    /// How long a daemon that owes an answer may be silent; nil for as long as it takes.
    ///
    /// A call that was given up leaves a connection of no use: its answer could be taken for that of the next.
    package var patience: Duration?
    private let client: VarlinkClient

    /// Connects to the first of the paths where a daemon answers.
    ///
    /// - Throws: `ClientError.unreachable` for the first path, where none does: that is where one was expected.
    package init(to paths: [String], patience: Duration? = nil) throws(ClientError) {
        self.patience = patience
        do throws(VarlinkError) {
            client = try connectToFirst(of: paths, within: patience ?? .seconds(5))
        } catch {
            throw ClientError(error)
        }
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Throws: `ClientError`; `.silent` where the daemon says nothing for as long as there is patience.
    package func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(ClientError) -> Method.Reply {
        do throws(VarlinkError) {
            return try client.call(method.fullName, parameters, returning: Method.Reply.self, timeout: patience)
        } catch {
            throw failure(error)
        }
    }

    /// Asks what an interface of the service is, in its own words.
    package func interface(_ name: String) throws(ClientError) -> InterfaceDescription {
        struct Request: Encodable {
            var interface: String
        }
        struct Reply: Decodable {
            var description: String
        }
        do throws(VarlinkError) {
            let reply = try client.call(
                "org.varlink.service.GetInterfaceDescription", Request(interface: name), returning: Reply.self,
                timeout: patience)
            return try InterfaceDescription(reply.description)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: VarlinkError) -> ClientError {
        if case .timedOut = error, let patience { return .silent(for: patience) }
        return switch ClientError(error) {
        case .misunderstood(let reply, _): .misunderstood(reply, by: serviceName)
        case .unexpected: .unexpected(by: serviceName)
        case let other: other
        }
    }

    /// Whom this is a connection to, as far as it says so in time.
    private var serviceName: ClientError.ServiceName? {
        try? client.call("org.varlink.service.GetInfo", timeout: patience ?? .seconds(1))
    }

    /// Calls a method that answers as often as there is something to say, and hands each answer on.
    ///
    /// Returns when the daemon has said the last; what `take` throws ends it before. It has to begin while there is
    /// patience; then each answer may take as long as what it tells of.
    package func stream<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ take: (Method.Reply) throws -> Void
    ) throws {
        do {
            let replies = try client.stream(method.fullName, parameters, returning: Method.Reply.self)
            var next = try replies.next(timeout: patience)
            while let reply = next {
                try take(reply)
                next = try replies.next()
            }
        } catch let error as VarlinkError {
            throw failure(error)
        }
    }
}

/// A connection to the first of the addresses where a daemon answers, for programs that ask and wait.
///
/// A daemon may be too busy to take it for so long. Throws `VarlinkError` of the first address, where none answers: that is
/// where one was expected.
package func connectToFirst(
    of addresses: [String], within time: Duration
) throws(VarlinkError) -> VarlinkClient {
    try firstReached(of: addresses) { address throws(VarlinkError) in
        try VarlinkClient(connectingTo: address, timeout: time)
    }
}

/// The first connection that can be made. Throws the error of the first address if none can.
func firstReached<Connection>(
    of addresses: [String], connect: (String) throws(VarlinkError) -> Connection
) throws(VarlinkError) -> Connection {
    var first: VarlinkError?
    for address in addresses {
        do throws(VarlinkError) {
            return try connect(address)
        } catch {
            first = first ?? error
        }
    }
    throw first ?? .disconnected
}
