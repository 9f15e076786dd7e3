import Glibc
import TestSupport
import Testing
import Unix

@Suite struct FileWatchTests {
    private let folder: TemporaryFolder
    private let owner: WatchOwner

    init() throws {
        folder = try TemporaryFolder()
        owner = try WatchOwner()
    }

    @Test("a file that is created, written, or replaced by rename is reported, and another file is not")
    func written() async throws {
        try await owner.watch(folder.path("file"))
        #expect(try await reports { try folder.write("one", to: "file") } == 1)
        #expect(try await reports { try folder.write("two", to: "file") } == 1)
        #expect(try await reports { try folder.write("three", to: "other") } == 0)
        #expect(try await reports { rename(folder.path("other"), folder.path("file")) } == 1)
        #expect(try await reports { rename(folder.path("file"), folder.path("file~")) } == 0)
        #expect(try await reports { try folder.write("four", to: "file") } == 1)
        await owner.end()
        #expect(try await reports { try folder.write("five", to: "file") } == 0)
    }

    @Test("a file that is created or removed, but not written, is not reported")
    func created() async throws {
        try await owner.watch(folder.path("file"))
        #expect(try await reports { mkfifo(folder.path("file"), 0o600) } == 0)
        #expect(try await reports { unlink(folder.path("file")) } == 0)
    }

    @Test("the target of a link is watched in its own folder, also after the link has changed")
    func linked() async throws {
        for name in ["a", "b"] {
            try makeFolder(folder.path(name), mode: 0o700)
            try folder.write("old", to: "\(name)/target")
        }
        #expect(symlink("a/target", folder.path("file")) == 0)
        try await owner.watch(folder.path("file"))
        #expect(try await reports { try folder.write("new", to: "a/target") } == 1)
        #expect(try await reports { unlink(folder.path("file")) } == 0)
        #expect(try await reports { symlink("b/target", folder.path("file")) } == 1)
        #expect(try await reports { try folder.write("new", to: "a/target") } == 0)
        #expect(try await reports { try folder.write("new", to: "b/target") } == 1)
    }

    @Test("without the folder, the watch fails with its name")
    func missing() async throws {
        let error = await #expect(throws: SystemError.self) { try await owner.watch(folder.path("no/file")) }
        #expect(error?.code == ENOENT)
        #expect(error?.description == "cannot watch folder \(folder.path("no")): no such file or directory")
        await owner.end()
    }

    /// The number of reports after a change.
    private func reports(after change: () throws -> some Any) async throws -> Int {
        _ = try change()
        // The loop waits for events between two of its jobs.
        await owner.wait()
        await owner.wait()
        return owner.reports.takeAll().count
    }
}

private actor WatchOwner {
    nonisolated let reports: Mailbox<Void>
    private let loop: EventLoop
    private var watch: FileWatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws {
        reports = try Mailbox()
        loop = try EventLoop()
        try loop.start(name: "watch test")
    }

    deinit { loop.stop() }

    func watch(_ path: String) throws {
        let reports = reports
        watch = try FileWatch(path, on: loop) { reports.put(()) }
    }

    func wait() {}

    func end() {
        watch?.end()
        watch = nil
    }
}
