import Glibc
import TestSupport
import Testing
import Unix

/// Files of the store that are removed while the daemon has them open.
@Suite struct RemovedFilesTests {
    enum Loss: CaseIterable, Sendable {
        case folderRemoved, folderRenamed, databaseRemoved, walRemoved, indexRemoved, databaseReplaced

        /// The end of the reason that the daemon gives.
        var reason: String {
            switch self {
            case .folderRemoved, .folderRenamed, .databaseRemoved: "/jokes.sqlite was removed while jokesd ran"
            case .walRemoved: "/jokes.sqlite-wal was removed while jokesd ran"
            case .indexRemoved: "/jokes.sqlite-shm was removed while jokesd ran"
            case .databaseReplaced: "/jokes.sqlite was replaced while jokesd ran"
            }
        }

        func happen(to daemon: DaemonUnderTest) throws {
            let database = "\(daemon.state)/jokes.sqlite"
            switch self {
            case .folderRemoved: removeTree(daemon.state)
            case .folderRenamed: #expect(rename(daemon.state, daemon.folder.path("moved")) == 0)
            case .databaseRemoved: #expect(unlink(database) == 0)
            case .walRemoved: #expect(unlink("\(database)-wal") == 0)
            case .indexRemoved: #expect(unlink("\(database)-shm") == 0)
            case .databaseReplaced: #expect(try rename(daemon.folder.write("not ours", to: "other"), database) == 0)
            }
        }
    }

    /// Makes a change, which is refused because files were removed, and waits for the new database and its jokes.
    private func refusedOnce(_ daemon: DaemonUnderTest, _ id: String, _ reason: String) async throws {
        let refusal = try daemon.control("favorite", id)
        #expect(refusal.ending == .exited(75) && refusal.errors.contains(reason), "\(refusal)")
        #expect(refusal.errors.contains("Try again in a moment."), "\(refusal)")
        try await waitUntil("the jokes are in a new database") {
            try !daemon.status().recoveries.isEmpty && daemon.control("show", id).ending == .exited(0)
        }
    }

    @Test(
        "after files are removed, a change is refused, and accepted by a new database with the favorites",
        arguments: Loss.allCases)
    func removed(loss: Loss) async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        let stored = try daemon.status().jokes.cached
        try loss.happen(to: daemon)
        try await refusedOnce(daemon, ids[1], loss.reason)
        #expect(try daemon.control("favorite", ids[1]).ending == .exited(0))
        let recoveries = try daemon.status().recoveries
        #expect(recoveries.count == 1 && recoveries.first?.favorites == 1)
        #expect(recoveries.first?.reason.contains(loss.reason) == true, "\(recoveries)")
        #expect(try daemon.control("status").output.contains(loss.reason))
        #expect(daemon.process.errors.text.contains(loss.reason))
        var facts = stat()
        #expect(stat(daemon.state, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(try daemon.doctor()["recovery"]?.message.contains(loss.reason) == true)
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.favorites() == [ids[0], ids[1]])
        #expect(try daemon.status().jokes.cached == stored && daemon.status().recoveries.count == 1)
        #expect(try daemon.doctor()["database"]?.message.contains("is sound") == true)
        if loss == .databaseReplaced {
            let other = try #require(recoveries.first?.damagedFile)
            #expect(try contentsOfFile(other, limit: 100) == Array("not ours".utf8))
        }
    }

    @Test("if the folder cannot be recreated, changes are refused with the reason")
    func refused() async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        removeTree(daemon.state)
        try daemon.folder.write("in the way", to: "state")
        let refusal = try daemon.control("favorite", ids[1])
        #expect(refusal.ending == .exited(75))
        #expect(refusal.errors.contains("was removed while jokesd ran, and cannot be written again: "), "\(refusal)")
        #expect(refusal.errors.contains("cannot create folder \(daemon.state): not a directory"), "\(refusal)")
        #expect(try daemon.status().storageFailure?.contains("not a directory") == true)
        #expect(try daemon.control("random").ending == .exited(0))
        #expect(try daemon.favorites() == [ids[0]])
        #expect(unlink(daemon.state) == 0)
        try await refusedOnce(daemon, ids[2], "was removed while jokesd ran")
        #expect(try daemon.control("favorite", ids[2]).ending == .exited(0))
        #expect(try daemon.status().storageFailure == nil)
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.favorites() == [ids[0], ids[2]])
    }

    @Test(
        "a journal that was removed or replaced is written again, and the change is accepted", arguments: [true, false])
    func journal(isRemoved: Bool) async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        let journal = "\(daemon.state)/favorites.jsonl"
        if isRemoved {
            #expect(unlink(journal) == 0)
        } else {
            #expect(try rename(daemon.folder.write("not ours\n", to: "other"), journal) == 0)
        }
        #expect(try daemon.control("favorite", ids[1]).ending == .exited(0))
        try await waitUntil("the recovery is reported") { try !daemon.status().recoveries.isEmpty }
        let recovery = try #require(daemon.status().recoveries.first)
        #expect(recovery.reason.contains("favorites.jsonl was"), "\(recovery)")
        if !isRemoved {
            #expect(try contentsOfFile(recovery.damagedFile, limit: 100) == Array("not ours\n".utf8))
        }
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.favorites() == [ids[0], ids[1]])
    }

    /// The arguments of a second daemon on the same state folder.
    private func secondDaemon(_ daemon: DaemonUnderTest) -> [String] {
        [
            "--config", daemon.folder.path("config.json"), "--state-dir", daemon.state, "--socket",
            daemon.folder.path("second"),
        ]
    }

    @Test("the recreated folder is locked against a second daemon")
    func lockedAgain() async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        removeTree(daemon.state)
        try await refusedOnce(daemon, ids[1], "was removed while jokesd ran")
        let second = try ChildProcess.run(builtProgram("jokesd"), secondDaemon(daemon))
        #expect(second.errors.contains("is in use by process \(daemon.process.pid)"), "\(second)")
    }

    @Test("if another daemon uses the new folder, a change is refused, and the files of the other daemon stay")
    func takenFolder() async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        removeTree(daemon.state)
        let other = try ChildProcess(builtProgram("jokesd"), secondDaemon(daemon))
        let socket = daemon.folder.path("second")
        try await waitUntil("the other daemon has its jokes") {
            let list = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "list", "--json"])
            return list.output.contains(ids[3])
        }
        let refusal = try daemon.control("favorite", ids[1])
        #expect(refusal.ending == .exited(75))
        #expect(refusal.errors.contains("process \(other.pid) uses the folder \(daemon.state)"), "\(refusal)")
        let change = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "favorite", ids[3]])
        #expect(change.ending == .exited(0))
        other.signal(SIGKILL)
        try other.waitForEnd()
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.favorites() == [ids[3]])
    }

    @Test("without a change, doctor and a clean stop notice that the files were removed", arguments: [true, false])
    func noticed(byDoctor: Bool) async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 1)
        removeTree(daemon.state)
        if byDoctor {
            let visit = try daemon.doctor()
            #expect(visit["storage"]?.message.contains("was removed while jokesd ran") == true, "\(visit)")
            try await waitUntil("the recovery is reported") { try daemon.doctor()["recovery"] != nil }
            try daemon.kill()
        } else {
            #expect(try daemon.stop() == .exited(0))
        }
        try daemon.start()
        #expect(try daemon.favorites() == [ids[0]])
        #expect(try daemon.status().recoveries.count == 1)
    }
}
