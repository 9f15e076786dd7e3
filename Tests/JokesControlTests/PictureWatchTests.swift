import Glibc
import JokesClient
import TestSupport
import Testing
import Unix

@testable import JokesControl

/// `jokesctl watch` and a daemon that says nothing.
@Suite struct PictureWatchTests {
    private struct Enough: Error {}

    @Test("a daemon that takes the call and says nothing is away, or never was there", arguments: [false, true])
    func silent(waitsForFirst: Bool) throws {
        let folder = try TemporaryFolder()
        // The kernel takes connections for it, and nobody ever looks.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let patience = Duration.milliseconds(20)
        let watch = PictureWatch(
            paths: [folder.path("socket")], view: nil, printingTo: try makePipe().writing,
            waitsForFirst: waitsForFirst, patience: patience)
        var reasons: [ClientError] = []
        let error = #expect(throws: (any Error).self) {
            try watch.run {
                reasons.append($0)
                throw Enough()
            } take: { _, _ in
            }
        }
        if waitsForFirst {
            #expect(error is Enough)
        } else if let error = error as? ClientError {
            reasons.append(error)
        }
        guard case .silent(for: patience) = reasons.first else {
            Issue.record("it ended otherwise: \(String(describing: error))")
            return
        }
        #expect(socket.rawValue >= 0)
    }
}
