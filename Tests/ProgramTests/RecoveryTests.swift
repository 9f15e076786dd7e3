import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// A damaged or locked database, and one of a newer version.
@Suite struct RecoveryTests {
    private func stoppedDaemon() async throws -> (daemon: DaemonUnderTest, favorites: Set<String>) {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 3)
        #expect(try daemon.stop() == .exited(0))
        return (daemon, Set(ids.prefix(3)))
    }

    private func edit(_ daemon: DaemonUnderTest, _ body: (inout [UInt8]) -> Void) throws {
        let path = "\(daemon.state)/jokes.sqlite"
        var bytes = try contentsOfFile(path, limit: 1 << 26)
        body(&bytes)
        try replaceFile(path, with: bytes, mode: 0o600)
    }

    @Test(
        "after damage, favorites are kept, sources sync again, and the recovery is reported until the user sees it",
        arguments: [false, true])
    func damaged(isEmpty: Bool) async throws {
        let (daemon, favorites) = try await stoppedDaemon()
        try edit(daemon) { bytes in
            bytes = isEmpty ? [] : [UInt8](repeating: 0xAA, count: 100) + bytes.dropFirst(100)
        }
        let damaged = try contentsOfFile("\(daemon.state)/jokes.sqlite", limit: 1 << 26)
        try daemon.start()
        #expect(daemon.process.errors.text.contains("recovered: "))
        try await daemon.waitForSyncs()
        let status = try daemon.status()
        let recovery = try #require(status.recoveries.first)
        if isEmpty {
            #expect(recovery.damagedFile.isEmpty && recovery.reason.contains("missing or empty"))
        } else {
            #expect(try contentsOfFile(recovery.damagedFile, limit: 1 << 26) == damaged)
        }
        #expect(try daemon.favorites() == favorites)
        #expect(recovery.favorites == favorites.count && recovery.favoritesLost == 0 && status.jokes.cached >= 40)
        // Neither a script nor a restart clears the report.
        #expect(try daemon.control("status").output.contains("recovered"))
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.status().recoveries.count == 1)
        try await seen(daemon)
        #expect(try daemon.status().recoveries.isEmpty)
    }

    /// Prints the status on a terminal.
    private func seen(_ daemon: DaemonUnderTest) async throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 30)
        let look = try ChildProcess(
            builtProgram("jokesctl"), ["--socket", daemon.socket, "status"], terminal: terminal)
        #expect(try look.waitForEnd() == .exited(0))
    }

    @Test(
        "after damage that a search or doctor finds, clients and favorites are kept, and sources sync again",
        arguments: [false, true])
    func whileRunning(byDoctor: Bool) async throws {
        let (daemon, favorites) = try await stoppedDaemon()
        try daemon.start()
        let watcher = try await daemon.watch()
        try daemon.damagePages(moreThan: favorites.count)
        if byDoctor {
            let visit = try daemon.doctor()
            #expect(visit.ending == .exited(1) && visit["database"]?.state == "failed", "\(visit.checks)")
            #expect(visit["database"]?.message.contains("is damaged") == true)
            #expect(visit["database"]?.advice?.contains("makes a new database") == true)
        }
        try await waitUntil("the recovery is reported") {
            if !byDoctor { for words in [["refresh"], ["search", "road"]] { _ = try daemon.control(words) } }
            return try !daemon.status().recoveries.isEmpty
        }
        try await daemon.waitForSyncs()
        #expect(try daemon.favorites() == favorites)
        try await waitUntil("the jokes are stored again") { try daemon.status().jokes.cached >= 40 }
        let another = try #require(
            try daemon.json("list", as: [PrintedJoke].self).first { !favorites.contains($0.id) })
        #expect(try daemon.control("favorite", another.id).ending == .exited(0))
        try watcher.output.waitFor("\"recovered\":true")
        let after = try daemon.doctor()
        #expect(after["database"]?.state == "ok" && after["recovery"]?.state == "warning", "\(after.checks)")
        #expect(after["recovery"]?.advice?.contains("jokes-damaged-") == true)
        // Other threads would wake the daemon every second.
        try await waitUntil("no thread is left over") { try daemon.threadNames() == DaemonUnderTest.ownThreads }
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.favorites() == favorites.union([another.id]))
    }

    @Test("a database of a newer version is refused with a hint and not changed")
    func newer() async throws {
        let (daemon, favorites) = try await stoppedDaemon()
        let path = "\(daemon.state)/jokes.sqlite"
        let whole = try contentsOfFile(path, limit: 1 << 26)
        // The last byte of user_version: https://www.sqlite.org/fileformat2.html#the_database_header
        try edit(daemon) { $0[63] = 99 }
        let before = try contentsOfFile(path, limit: 1 << 26)
        let result = try ChildProcess.run(
            builtProgram("jokesd"),
            ["--config", daemon.folder.path("config.json"), "--state-dir", daemon.state, "--socket", daemon.socket])
        #expect(result.ending == .exited(65))
        #expect(result.errors.contains("a newer jokesd wrote"), "\(result.errors)")
        #expect(result.errors.contains("Start the newer jokesd"), "\(result.errors)")
        #expect(try contentsOfFile(path, limit: 1 << 26) == before)
        try replaceFile(path, with: whole, mode: 0o600)
        try daemon.start()
        #expect(try daemon.favorites() == favorites)
    }

    @Test(
        "while another process holds the lock of the database, changes are refused, and doctor gives the reason",
        .enabled(if: isSlowTier, "slow tier"))
    func lockedByAnother() async throws {
        let (daemon, _) = try await stoppedDaemon()
        try daemon.start()
        let jokes: [PrintedJoke] = try daemon.json("list")
        let lock = try daemon.lockDatabase()
        let visit = try daemon.doctor()
        #expect(visit["storage"]?.message.contains("another process holds the lock") == true, "\(visit.checks)")
        #expect(visit["database"]?.state == "ok" && visit.ending == .exited(1))
        // Three waiting calls are all refused.
        let socket = daemon.socket
        try await withThrowingTaskGroup(of: Void.self) { group in
            for joke in jokes[..<3] {
                group.addTask {
                    let connection = JokesConnection(to: [socket])
                    #expect(throws: ClientError.self) {
                        try connection.call(FavoriteMethod.self, FavoriteMethod.Parameters(ids: [joke.id]))
                    }
                }
            }
            try await group.waitForAll()
        }
        let refusal = try daemon.control("favorite", jokes[5].id)
        #expect(refusal.ending == .exited(75))
        #expect(refusal.errors.contains("another process holds the lock"), "\(refusal.errors)")
        #expect(try daemon.control("random").ending == .exited(0))
        #expect(try daemon.status().storageFailure?.contains("holds the lock") == true)
        _ = consume lock
        #expect(try daemon.control("favorite", jokes[5].id).ending == .exited(0))
        #expect(try daemon.status().storageFailure == nil)
    }
}

extension DaemonUnderTest {
    /// Holds the lock of writers until the result is released: https://www.sqlite.org/walformat.html#wal_locks
    func lockDatabase() throws -> Descriptor {
        let path = "\(state)/jokes.sqlite-shm"
        let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDWR | O_CLOEXEC) })
        var lock = flock()
        (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 120, 1)
        try retrying("lock", path) { fcntl(file.rawValue, F_SETLK, &lock) }
        return file
    }
}
