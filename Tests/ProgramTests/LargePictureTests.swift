import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Pictures larger than a message may be.
@Suite struct LargePictureTests {
    private let view = Wire.View(size: 1000)

    /// A daemon with jokes of some 16 KiB as JSON.
    private func daemon(withJokes count: Int) async throws -> DaemonUnderTest {
        // Quotes, which JSON doubles.
        try await DaemonUnderTest.telling(count, bytesEach: 7900, filling: " \"\"\"\"\"\"\"")
    }

    @Test(
        "it comes in pieces, none over a megabyte, and whole; asked for at once it is refused",
        .enabled(if: isSlowTier, "slow tier"))
    func pieces() async throws {
        // More than the daemon lets pile up for a client.
        let daemon = try await daemon(withJokes: 600)
        let watcher = try Watcher(daemon, view: view)
        let pieces = try watcher.begin()
        #expect(pieces.count > 20)
        #expect(pieces.allSatisfy { $0.generation == pieces[0].generation && $0.snapshot != nil })
        #expect(pieces.map(\.complete) == Array(repeating: false, count: pieces.count - 1) + [true])
        let status: PrintedStatus = try daemon.json("status")
        #expect(try watcher.jokes.count == status.cached && status.cached > 600)
        #expect(throws: ClientError.self) {
            try daemon.connect().call(WatchMethod.self, WatchMethod.Parameters(view: view))
        }
    }

    @Test("a client that stops reading within a snapshot gets the pieces of the newest one later")
    func stopped() async throws {
        let daemon = try await daemon(withJokes: 100)
        let (slow, fast) = (try Watcher(daemon, view: view), try Watcher(daemon, view: view))
        _ = try slow.next()
        try fast.begin()
        let (caller, ids) = (try daemon.connect(), try fast.jokes.prefix(8))
        for id in ids { try fast.see(id, toggledBy: caller) }
        let newest = try #require(fast.last?.generation)
        let rest = try slow.next { $0.last?.generation == newest && $0.last?.complete != false }
        #expect(rest.allSatisfy { $0.difference == nil } && rest.last?.snapshot != nil)
        #expect(try slow.picture == fast.picture)
    }

    @Test("a change that is larger than a message replaces the picture")
    func replaced() async throws {
        let daemon = try await daemon(withJokes: 100)
        let watcher = try Watcher(daemon, view: view)
        try watcher.begin()
        let all = try watcher.jokes
        try daemon.reload(DaemonUnderTest.tellingConfiguration("/nowhere", maxLength: 1000))
        try watcher.next { try $0.jokes.count == all.count - 100 }
        try daemon.reload(DaemonUnderTest.tellingConfiguration("/nowhere", maxLength: 8192))
        let told = try watcher.next { try $0.jokes == all }
        #expect(told.contains { $0.snapshot != nil })
    }
}
