import Glibc
import TestSupport
import Testing
import Unix

/// Runs of `jokesd --once` in which something happens during the syncs.
@Suite struct SyncOnceTests {
    private func start(on daemon: DaemonUnderTest) throws -> ChildProcess {
        try ChildProcess(
            builtProgram("jokesd"),
            ["--config", daemon.folder.path("config.json"), "--state-dir", daemon.state, "--once"])
    }

    /// Overwrites all pages of the database except for the first.
    private func damageDatabase(of daemon: DaemonUnderTest) throws {
        let path = "\(daemon.state)/jokes.sqlite"
        let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDWR | O_CLOEXEC) })
        let garbage = [UInt8](repeating: 0xAA, count: try contentsOfFile(path, limit: 1 << 26).count - 4096)
        try retrying("write", path) { pwrite(file.rawValue, garbage, garbage.count, 4096) }
    }

    @Test("after damage that a sync finds, --once recovers and exits with 75, and the next run syncs all sources")
    func damage() async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 2)
        #expect(try daemon.stop() == .exited(0))
        let (server, gate) = (try LoopbackServer(), try Gate())
        server.routeEverythingElse { _ in
            LoopbackAnswer.json(#"[{"type":"x","setup":"Whole?","punchline":"Again."}]"#).delayed(until: gate)
        }
        let sources = configuration(fortuneSource(daemon.folder.path("fortunes")), officialSource(server.url))
        try daemon.folder.write(sources, to: "config.json")
        let once = try start(on: daemon)
        try once.output.waitFor("fortunes: ")
        try await server.waitForRequests(1)
        try damageDatabase(of: daemon)
        gate.open()
        #expect(try once.waitForEnd() == .exited(75), "\(once.output.text)\(once.errors.text)")
        #expect(once.errors.text.contains("recovered: "), "\(once.errors.text)")
        let next = try start(on: daemon)
        #expect(try next.waitForEnd() == .exited(0), "\(next.output.text)\(next.errors.text)")
        let lines = next.output.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("fortunes: 40 new of 40") }, "\(lines)")
        #expect(lines.last { $0.hasPrefix("official: ") }?.hasPrefix("official: 1 new of 1") == true, "\(lines)")
        server.stop()
        try daemon.start()
        #expect(try daemon.configuredSources().map(\.jokes.cached) == [40, 1])
        #expect(try daemon.favorites() == Set(ids.prefix(2)))
    }

    @Test("a signal cancels the syncs of --once, and the exit code is 75", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signal(number: Int32) async throws {
        let server = try LoopbackServer()
        let daemon = try DaemonUnderTest()
        #expect(try daemon.stop() == .exited(0))
        server.routeEverythingElse { _ in LoopbackAnswer(steps: [.stall]) }
        try daemon.folder.write(configuration(officialSource(server.url)), to: "config.json")
        let once = try start(on: daemon)
        try await server.waitForRequests(1)
        once.signal(number)
        #expect(try once.waitForEnd() == .exited(75))
        #expect(!once.output.text.contains("new"))
    }
}
