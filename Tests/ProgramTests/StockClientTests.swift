import TestSupport
import Testing

/// A daemon and the Python package varlink. `StockMethodTests` calls each method, also with systemd's varlinkctl.
@Suite struct StockClientTests {
    private func python(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(try #require(VarlinkPython.path), ["-m", "varlink.cli"] + arguments)
    }

    @Test(
        "Python's varlink prints the service information and the interface with its comments",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonDescribes() throws {
        let daemon = try DaemonUnderTest()
        let info = try python("info", "unix:\(daemon.socket)")
        #expect(info.output.contains("jokesd") && info.output.contains("org.jokesd.Jokes"), "\(info)")
        let help = try python("help", "unix:\(daemon.socket)/org.jokesd.Jokes")
        for line in ["interface org.jokesd.Jokes", "method Random(", "error NoSuchJoke", "# [Supports 'more' flag]"] {
            #expect(help.output.contains(line), "\(line): \(help)")
        }
    }

    @Test(
        "Python's varlink watches: it gets the snapshot, and then a favorite as a difference",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonWatches() async throws {
        let daemon = try DaemonUnderTest()
        let watcher = try ChildProcess(
            try #require(VarlinkPython.path),
            ["-m", "varlink.cli", "call", "--more", "unix:\(daemon.socket)/org.jokesd.Jokes.Watch", "{}"],
            environment: ["PYTHONUNBUFFERED": "1"])
        try watcher.output.waitFor("\"snapshot\"")
        let joke = try #require(try daemon.json("list", as: [PrintedJoke].self).last)
        #expect(try daemon.control("favorite", joke.id).ending == .exited(0))
        try watcher.output.waitFor("\"favorite/\(joke.id)\"")
        try watcher.output.waitFor("\"insertedSections\"")
        #expect(watcher.errors.text.isEmpty)
    }
}
