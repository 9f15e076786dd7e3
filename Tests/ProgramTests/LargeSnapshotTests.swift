import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Snapshots larger than the maximum size of a message.
@Suite struct LargeSnapshotTests {
    private let view = View(size: 1000)

    /// Starts a daemon with jokes of about 16 KiB as JSON.
    private func daemon(withJokes count: Int) async throws -> DaemonUnderTest {
        // Quotes, which JSON escapes with a second byte.
        try await DaemonUnderTest.withJokes(count, bytesEach: 7900, filling: " \"\"\"\"\"\"\"")
    }

    @Test(
        "a large snapshot arrives in pieces of at most a megabyte, and is refused as a single reply",
        .enabled(if: isSlowTier, "slow tier"))
    func pieces() async throws {
        // More than the daemon queues for a client.
        let daemon = try await daemon(withJokes: 600)
        let watcher = try Watcher(daemon, view: view)
        let pieces = try watcher.begin()
        #expect(pieces.count > 20)
        #expect(pieces.allSatisfy { $0.generation == pieces[0].generation && $0.snapshot != nil })
        #expect(pieces.map(\.complete) == Array(repeating: false, count: pieces.count - 1) + [true])
        let status: PrintedStatus = try daemon.json("status")
        #expect(try watcher.jokes.count == status.jokes.shown && status.jokes.shown > 600)
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
        #expect(try slow.snapshot == fast.snapshot)
    }

    @Test("a change that is larger than a message is sent as a new snapshot")
    func replaced() async throws {
        let daemon = try await daemon(withJokes: 100)
        let watcher = try Watcher(daemon, view: view)
        try watcher.begin()
        let all = try watcher.jokes
        try daemon.reload(DaemonUnderTest.fortuneConfiguration("/nowhere", maxLength: 1000))
        try watcher.next { try $0.jokes.count == all.count - 100 }
        try daemon.reload(DaemonUnderTest.fortuneConfiguration("/nowhere", maxLength: 8192))
        let replies = try watcher.next { try $0.jokes == all }
        #expect(replies.contains { $0.snapshot != nil })
    }
}
