import JokesClient
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// A blocking client, and a daemon that does not answer.
@Suite struct TimeoutTests {
    @Test("a call and a stream without a first reply time out")
    func neverAnswers() throws {
        let folder = try TemporaryFolder()
        // The kernel accepts connections for it, and nothing reads from them.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let timeout = Duration.milliseconds(20)
        let calls: [(JokesConnection) throws -> Void] = [
            { _ = try $0.call(StatusMethod.self, JokesProtocol.NoParameters()) },
            { try $0.stream(RefreshMethod.self, RefreshMethod.Parameters(sources: nil)) { _ in } },
        ]
        for call in calls {
            let connection = JokesConnection(to: [folder.path("socket")], timeout: timeout)
            let error = #expect(throws: ClientError.self) { try call(connection) }
            #expect(error?.sentence == ClientError.timedOut(after: timeout).sentence)
        }
        #expect(socket.rawValue >= 0)
    }
}
