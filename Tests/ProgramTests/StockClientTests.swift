import FoundationEssentials
import TestSupport
import Testing

/// A daemon and clients from other projects: the Python package varlink, and systemd's varlinkctl.
@Suite struct StockClientTests {
    /// A reply of `Random`, `Get` or `Favorite`, as far as the tests use it.
    private struct PrintedReply: Decodable {
        var joke: PrintedJoke?
        var favorites: [PrintedJoke]?
    }

    private func decoded(_ result: ChildProcess.Result) throws -> PrintedReply {
        try #require(result.ending == .exited(0), "\(result.errors)")
        return try JSONDecoder().decode(PrintedReply.self, from: Data(result.output.utf8))
    }

    // MARK: The Python package

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
        "Python's varlink gets a joke and makes it a favorite; an unknown ID gets NoSuchJoke on stderr",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonCalls() throws {
        let daemon = try DaemonUnderTest()
        let methods = "unix:\(daemon.socket)/org.jokesd.Jokes"
        let joke = try #require(try decoded(python("call", "\(methods).Random", "{}")).joke)
        let known: [PrintedJoke] = try daemon.json("list")
        #expect(known.contains(joke))
        let favorite = try decoded(python("call", "\(methods).Favorite", #"{"ids":["\#(joke.id)"]}"#)).favorites?.first
        #expect(favorite?.id == joke.id && favorite?.setup == joke.setup)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [joke.id])
        let unknown = try python("call", "\(methods).Favorite", #"{"ids":["nobody:1"]}"#)
        #expect(unknown.output.isEmpty, "\(unknown)")
        #expect(unknown.errors.contains("org.jokesd.Jokes.NoSuchJoke") && unknown.errors.contains("nobody:1"))
        let wrong = try python("call", "\(methods).List", #"{"limit":1000}"#)
        #expect(wrong.errors.contains("org.varlink.service.InvalidParameter"), "\(wrong)")
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

    // MARK: varlinkctl

    private func varlinkctl(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(try #require(Varlinkctl.path), arguments)
    }

    @Test(
        "varlinkctl prints the interface, gets a joke and makes it a favorite; an unknown ID gets NoSuchJoke",
        .enabled(if: Varlinkctl.path != nil, "\(Varlinkctl.skipReason)"))
    func systemd() throws {
        let daemon = try DaemonUnderTest()
        let socket = "unix:\(daemon.socket)"
        let information = try varlinkctl("info", socket).output
        #expect(information.contains("org.jokesd.Jokes") && information.contains("man:jokesd(8)"), "\(information)")
        let text = try varlinkctl("introspect", socket, "org.jokesd.Jokes")
        #expect(text.output.contains("interface org.jokesd.Jokes") && text.output.contains("NoSuchJoke"), "\(text)")
        let joke = try #require(try decoded(varlinkctl("call", socket, "org.jokesd.Jokes.Random", "{}")).joke)
        let favorite = try varlinkctl("call", socket, "org.jokesd.Jokes.Favorite", #"{"ids":["\#(joke.id)"]}"#)
        #expect(try decoded(favorite).favorites?.map(\.id) == [joke.id])
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [joke.id])
        let unknown = try varlinkctl("call", socket, "org.jokesd.Jokes.Favorite", #"{"ids":["nobody:1"]}"#)
        #expect(unknown.ending != .exited(0) && unknown.errors.contains("org.jokesd.Jokes.NoSuchJoke"), "\(unknown)")
    }
}
