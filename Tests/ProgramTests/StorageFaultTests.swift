import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// A full disk, and a read-only disk.
@Suite(.enabled(if: MountedFolder.isPermitted, "no mount namespaces are permitted here"))
struct StorageFaultTests {
    private let folder: TemporaryFolder
    private let disk: MountedFolder
    private let configurationFile: String

    init() async throws {
        folder = try TemporaryFolder()
        disk = try await MountedFolder(folder.path("state"), size: "2m")
        let jokes = (0..<60).map { "Duck number \($0) crossed the road." }.joined(separator: "\n%\n")
        try folder.write(jokes + "\n", to: "ducks")
        configurationFile = try folder.write(configuration(fortuneSource(folder.path("ducks"))), to: "config.json")
    }

    private func control(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesctl"), ["--socket", folder.path("s")] + arguments)
    }

    private func doctor() throws -> DoctorVisit {
        try DoctorVisit(["--socket", folder.path("s")])
    }

    private func start() async throws -> ChildProcess {
        let daemon = try disk.start(
            builtProgram("jokesd"),
            ["--config", configurationFile, "--state-dir", disk.path, "--socket", folder.path("s")])
        do {
            try await waitUntil("the daemon answers", Deadline(after: .seconds(60))) {
                try control("status").ending == .exited(0)
            }
        } catch is DeadlinePassed {
            throw DeadlinePassed("the daemon answered; its errors: \(daemon.errors.text)")
        }
        return daemon
    }

    private func status() throws -> StatusMethod.Reply {
        try JokesConnection(to: [folder.path("s")]).call(StatusMethod.self, JokesProtocol.NoParameters())
    }

    private func waitForJokes() async throws {
        try await waitUntil("the jokes are stored", Deadline(after: .seconds(60))) {
            let status = try status()
            return status.jokes.cached >= 60 && !status.syncing
        }
    }

    private func ids() throws -> [String] {
        try JokesConnection(to: [folder.path("s")]).call(ListMethod.self, ListMethod.Parameters(limit: 60)).jokes
            .map(\.id.rawValue)
    }

    /// Adds favorites until one is refused; returns the refusal and the acknowledged IDs.
    private func addFavoritesUntilRefused(_ ids: [String]) throws -> (refusal: ChildProcess.Result, added: [String]) {
        var added: [String] = []
        for id in ids {
            let result = try control("favorite", id)
            if result.ending != .exited(0) { return (result, added) }
            added.append(id)
        }
        throw DeadlinePassed("a favorite was refused")
    }

    @Test(
        "on a full disk, jokes are served, changes are refused with the reason, and doctor reports the disk")
    func fullDisk() async throws {
        let daemon = try await start()
        try await waitForJokes()
        let ids = try ids()
        #expect(try control("favorite", ids[0]).ending == .exited(0))
        try disk.fill()
        let (refusal, added) = try addFavoritesUntilRefused(Array(ids.dropFirst()))
        #expect(refusal.ending == .exited(75))
        #expect(refusal.errors.contains("is full") && refusal.errors.contains("Free some disk space"), "\(refusal)")
        #expect(try control("random").ending == .exited(0))
        #expect(try control("list").output.contains("crossed the road"))
        #expect(try status().storageFailure?.contains("is full") == true)
        #expect(try control("status").output.contains("Free some disk space"))
        // An existing favorite is not written again, so its success says nothing about the disk.
        #expect(try control("favorite", ids[0]).ending == .exited(0))
        #expect(try status().storageFailure?.contains("is full") == true)
        var full = try doctor()
        // The WAL may have space for doctor's test write.
        try await waitUntil("doctor cannot write") {
            full = try doctor()
            return full["storage"]?.state == "failed"
        }
        #expect(full.ending == .exited(1) && full["storage"]?.message.contains("is full") == true, "\(full.checks)")
        #expect(full["storage"]?.advice?.contains("Free some disk space") == true)
        #expect(full["space"]?.state == "failed" && full["space"]?.message.hasPrefix("0 bytes free") == true)
        try disk.makeRoom()
        #expect(try doctor()["storage"]?.state == "ok")
        let last = try #require(ids.last)
        #expect(try control("favorite", last).ending == .exited(0))
        #expect(try status().storageFailure == nil)
        daemon.signal(SIGKILL)
        try daemon.waitForEnd()
        // Everything that was acknowledged on the full disk is there after a restart.
        let again = try await start()
        let favorites = try control("favorites", "--json").output
        for id in [ids[0], last] + added { #expect(favorites.contains("\"\(id)\""), "\(id)") }
        again.signal(SIGTERM)
        #expect(try again.waitForEnd() == .exited(0))
    }

    @Test("after a start on a full or read-only disk, jokes are served, and changes work when the disk is writable")
    func startWithoutWriting() async throws {
        var daemon = try await start()
        try await waitForJokes()
        let ids = try ids()
        let (readOnly, writable) = ({ try disk.remount(isWritable: false) }, { try disk.remount(isWritable: true) })
        for (number, (signal, words, hint, prevent, allow)) in [
            (SIGTERM, "read-only", "writable", readOnly, writable),
            // The last favorite is only in the WAL.
            (SIGKILL, "read-only", "writable", readOnly, writable),
            (SIGTERM, "full", "Free some disk space", { try disk.fill() }, { try disk.makeRoom() }),
        ].enumerated() {
            let (kept, refused, accepted) = (ids[3 * number], ids[3 * number + 1], ids[3 * number + 2])
            #expect(try control("favorite", kept).ending == .exited(0))
            daemon.signal(signal)
            #expect(try daemon.waitForEnd() == (signal == SIGTERM ? .exited(0) : .killed(signal: SIGKILL)))
            try prevent()
            daemon = try await start()
            #expect(try control("favorites", "--full-ids").output.contains(kept))
            #expect(try control("random").ending == .exited(0))
            let refusal = try control("favorite", refused)
            #expect(refusal.ending == .exited(75) && refusal.errors.contains(hint), "\(refusal)")
            let failure = try #require(try status().storageFailure)
            #expect(failure.contains(words), "\(failure)")
            #expect(daemon.errors.text.contains(": serving cached jokes, storing no changes"))
            try allow()
            #expect(try control("favorite", accepted).ending == .exited(0))
            #expect(try status().storageFailure == nil)
            daemon.signal(SIGKILL)
            try daemon.waitForEnd()
            daemon = try await start()
            let favorites = try control("favorites", "--full-ids").output
            #expect(favorites.contains(kept) && favorites.contains(accepted) && !favorites.contains(refused))
        }
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForEnd() == .exited(0))
    }
}
