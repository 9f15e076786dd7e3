package import JokesProtocol
import Varlink

/// A connection for programs that ask and wait. It has no thread; one thread uses it at a time.
package final class JokesConnection {
    private let client: VarlinkClient

    /// Connects to the first of the paths where a daemon answers.
    ///
    /// - Throws: `ClientError.unreachable` for the first path, where none does: that is where one was expected.
    package init(to paths: [String]) throws(ClientError) {
        var first: VarlinkError?
        for path in paths {
            do throws(VarlinkError) {
                client = try VarlinkClient(connectingTo: path)
                return
            } catch {
                first = first ?? error
            }
        }
        throw ClientError(first ?? .disconnected)
    }

    /// Calls a method and waits for its answer.
    package func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(ClientError) -> Method.Reply {
        do throws(VarlinkError) {
            return try client.call(method.fullName, parameters, returning: Method.Reply.self)
        } catch {
            throw ClientError(error)
        }
    }

    /// Calls a method that answers as often as there is something to say, and hands each answer on.
    ///
    /// Returns when the daemon has said the last; what `take` throws ends it before.
    package func stream<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ take: (Method.Reply) throws -> Void
    ) throws {
        do {
            let replies = try client.stream(method.fullName, parameters, returning: Method.Reply.self)
            while let reply = try replies.next() { try take(reply) }
        } catch let error as VarlinkError {
            throw ClientError(error)
        }
    }
}
