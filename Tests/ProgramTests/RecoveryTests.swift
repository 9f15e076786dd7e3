import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// Rows 4 and 12 of what must not break the daemon: a damaged database, one that is not ours, one that somebody locks.
@Suite struct RecoveryTests {
    enum DamageDone: CaseIterable, Sendable {
        case garbageInFront, cutOff, notAByte
    }

    /// A daemon that has jokes, of which three are favorites, and was stopped; and the favorites' ids.
    private func stoppedDaemon() async throws -> (daemon: DaemonUnderTest, favorites: Set<String>) {
        let text = (0..<40).map { "Duck number \($0) crossed the road." }.joined(separator: "\n%\n") + "\n"
        let daemon = try DaemonUnderTest(configuration: #"{"sources": []}"#)
        let file = try daemon.folder.write(text, to: "ducks")
        try daemon.reload(configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list")
        let favorites = jokes.prefix(3).map(\.id)
        #expect(try daemon.control(["favorite"] + favorites).ending == .exited(0))
        #expect(try daemon.stop() == .exited(0))
        return (daemon, Set(favorites))
    }

    private func edit(_ daemon: DaemonUnderTest, _ body: (inout [UInt8]) -> Void) throws {
        let path = "\(daemon.state)/jokes.sqlite"
        var bytes = try contentsOfFile(path, limit: 1 << 26)
        body(&bytes)
        try replaceFile(path, with: bytes, mode: 0o600)
    }

    private func favorites(_ daemon: DaemonUnderTest) throws -> Set<String> {
        Set(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id))
    }

    private func isTold(_ daemon: DaemonUnderTest) throws -> Bool {
        !(try daemon.json("status", as: PrintedStatus.self).recoveries.isEmpty)
    }

    @Test(
        "a damaged database is moved aside, its favorites are kept, the jokes come again, and it is said until somebody has seen it",
        arguments: DamageDone.allCases)
    func damaged(damage: DamageDone) async throws {
        let (daemon, starred) = try await stoppedDaemon()
        try edit(daemon) { bytes in
            switch damage {
            case .garbageInFront: for place in 0..<100 { bytes[place] = 0xAA }
            case .cutOff: bytes.removeLast(4096)
            case .notAByte: bytes = []
            }
        }
        let damaged = try contentsOfFile("\(daemon.state)/jokes.sqlite", limit: 1 << 26)
        try daemon.start()
        #expect(daemon.process.errors.text.contains("recovered: "))
        try await daemon.waitForSyncs()
        let status: PrintedStatus = try daemon.json("status")
        let recovery = try #require(status.recoveries.first)
        if damage == .notAByte {
            #expect(recovery.damagedFile.isEmpty && recovery.reason.contains("missing or empty"))
        } else {
            #expect(try contentsOfFile(recovery.damagedFile, limit: 1 << 26) == damaged)
        }
        let kept = try favorites(daemon)
        #expect(kept.count == recovery.favorites)
        #expect(kept == starred && recovery.favoritesLost == 0)
        #expect(status.stored >= 40)
        // Scripts do not take it from people, nor does a restart.
        #expect(try daemon.control("status").output.contains("recovered"))
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try isTold(daemon))
        try await seen(daemon)
        #expect(try !isTold(daemon))
        if damage != .notAByte { #expect(access(recovery.damagedFile, F_OK) == 0) }
    }

    /// A person looks at the status, on a terminal.
    private func seen(_ daemon: DaemonUnderTest) async throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 30)
        let look = try ChildProcess(
            builtProgram("jokesctl"), ["--socket", daemon.socket, "status"], terminal: terminal)
        #expect(try look.waitForEnd() == .exited(0))
    }

    @Test("damage that is met while it runs is recovered from in place: clients stay, favorites too, jokes come again")
    func whileRunning() async throws {
        let (daemon, starred) = try await stoppedDaemon()
        try daemon.start()
        let watcher = try await daemon.watch()
        // Pages of jokes, and not the one of the few favorites.
        try daemon.damagePages(with: "crossed the road", moreThan: starred.count)
        try await waitUntil("the damage is met", Deadline(after: .seconds(60))) {
            _ = try daemon.control("refresh")
            _ = try daemon.control("search", "road")
            return try isTold(daemon)
        }
        try await daemon.waitForSyncs()
        #expect(try favorites(daemon) == starred)
        try await waitUntil("the jokes are there again", Deadline(after: .seconds(60))) {
            try daemon.json("status", as: PrintedStatus.self).stored >= 40
        }
        let another = try #require(
            try daemon.json("list", as: [PrintedJoke].self).first { !starred.contains($0.id) })
        #expect(try daemon.control("favorite", another.id).ending == .exited(0))
        try watcher.output.waitFor("\"recovered\":true")
        // What it waited for meanwhile has left no thread that would wake it every second.
        let names = try daemon.threadNames()
        #expect(names == DaemonUnderTest.ownThreads)
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try favorites(daemon) == starred.union([another.id]))
    }

    @Test("a database of a newer version is refused with a hint and left as it is")
    func newer() async throws {
        let (daemon, starred) = try await stoppedDaemon()
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
        #expect(try favorites(daemon) == starred)
    }

    @Test(
        "while another process holds the lock of the database, changes are refused with the reason",
        .enabled(if: isSlowTier, "slow tier"))
    func lockedByAnother() async throws {
        let (daemon, _) = try await stoppedDaemon()
        try daemon.start()
        let jokes: [PrintedJoke] = try daemon.json("list")
        let path = "\(daemon.state)/jokes.sqlite-shm"
        // The lock of writers: https://www.sqlite.org/walformat.html#wal_locks
        let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDWR | O_CLOEXEC) })
        var lock = flock()
        (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 120, 1)
        try retrying("lock", path) { fcntl(file.rawValue, F_SETLK, &lock) }
        // Three that wait at once are all refused.
        let socket = daemon.socket
        try await withThrowingTaskGroup(of: Void.self) { group in
            for joke in jokes[..<3] {
                group.addTask {
                    let connection = try JokesConnection(to: [socket])
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
        #expect(try daemon.json("status", as: PrintedStatus.self).storageFailure?.contains("holds the lock") == true)
        lock.l_type = Int16(F_UNLCK)
        try retrying("unlock", path) { fcntl(file.rawValue, F_SETLK, &lock) }
        #expect(try daemon.control("favorite", jokes[5].id).ending == .exited(0))
        #expect(try daemon.json("status", as: PrintedStatus.self).storageFailure == nil)
    }

    @Test("two clients that toggle one favorite at once: each gets an answer, and everybody sees the same in the end")
    func toggledByTwo() async throws {
        let (daemon, _) = try await stoppedDaemon()
        try daemon.start()
        let id = try daemon.json("list", as: [PrintedJoke].self)[7].id
        let socket = daemon.socket
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    let connection = try JokesConnection(to: [socket])
                    for turn in 0..<50 {
                        if (turn + number).isMultiple(of: 2) {
                            _ = try connection.call(FavoriteMethod.self, FavoriteMethod.Parameters(ids: [id]))
                        } else {
                            _ = try connection.call(UnfavoriteMethod.self, ChangeParameters(ids: [id]))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let isFavorite = try favorites(daemon).contains(id)
        let shown: PrintedJoke = try #require(
            try daemon.json("list", as: [PrintedJoke].self).first { $0.id == id })
        #expect(shown.starred == isFavorite)
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try favorites(daemon).contains(id) == isFavorite)
    }
}
