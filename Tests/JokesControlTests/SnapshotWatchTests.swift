import Glibc
import JokesClient
import TestSupport
import Testing
import Unix

@testable import JokesControl

/// `jokesctl watch` with a daemon that never answers.
@Suite struct SnapshotWatchTests {
    private struct Stop: Error {}

    @Test("a daemon that accepts the call but never answers counts as unreachable", arguments: [false, true])
    func silent(waitsForFirst: Bool) throws {
        let folder = try TemporaryFolder()
        // The kernel accepts connections to the socket, and no one reads from them.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let timeout = Duration.milliseconds(20)
        let watch = SnapshotWatch(
            paths: [folder.path("socket")], view: nil, printingTo: try makePipe().writing,
            waitsForFirst: waitsForFirst, timeout: timeout)
        var reasons: [ClientError] = []
        let error = #expect(throws: (any Error).self) {
            try watch.run {
                reasons.append($0)
                throw Stop()
            } take: { _, _ in
            }
        }
        if waitsForFirst {
            #expect(error is Stop)
        } else if let error = error as? ClientError {
            reasons.append(error)
        }
        guard case .timedOut(after: timeout) = reasons.first else {
            Issue.record("unexpected end: \(String(describing: error))")
            return
        }
        #expect(socket.rawValue >= 0)
    }
}
