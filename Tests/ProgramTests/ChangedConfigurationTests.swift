import TestSupport
import Testing

/// Sources that contradict each other, and a changing configuration, as shown by `jokesctl list`.
@Suite struct ChangedConfigurationTests {
    private let service = JokeAPIService([
        JokeAPIService.Joke(0, "A safe duck."), JokeAPIService.Joke(1, "A holy duck.", flags: ["religious"]),
        JokeAPIService.Joke(2, category: "Dark", "A dark duck."),
        JokeAPIService.Joke(3, "An unsafe duck.", safe: false),
        JokeAPIService.Joke(0, lang: "de", "Eine Ente."),
    ])
    private let feed = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Ducks", "items": [
            {"id": "1", "content_text": "A duck that vouches for itself.", "_jokesd": {"safety": "safe"}},
            {"id": "2", "content_text": "A duck of another religion.", "_jokesd": {"safety": "safe", "flags": ["religion"]}}]}
        """
    /// The last joke is also a joke of JokeAPI, which flags it.
    private let ducks = (0..<40).map { "Duck number \($0)." } + ["A holy duck!"]

    /// Runs the daemon with a folder of sources. `ducks` is the rest of that source; `nil` omits the source.
    private struct Setting {
        let daemon: DaemonUnderTest
        let service: UpstreamServer<JokeAPIService>
        let feed: LoopbackServer

        func configuration(ducks: String?, feedSafety: String = "unsafe", maxJokes: Int = 1_000) -> String {
            let local = #""allowLocalNetwork": true"#
            let duckSource = ducks.map {
                #"{"name": "ducks", "type": "fortune", "path": "\#(daemon.folder.path("ducks"))", \#($0)},"#
            }
            return """
                {"sources": [
                    {"name": "jokeapi", "type": "jokeapi", "url": "\(service.url)", "languages": ["en", "de"], \(local)},
                    \(duckSource ?? "")
                    {"name": "rude", "type": "fortune", "path": "\(daemon.folder.path("rude"))"},
                    {"name": "feed", "type": "jsonfeed", "url": "\(feed.url)/", "safety": "\(feedSafety)", \(local)}],
                 "cache": {"maxJokes": \(maxJokes)}}
                """
        }

        func list(_ arguments: String...) throws -> [PrintedJoke] {
            let jokes: [PrintedJoke] = try daemon.json(["list", "--limit", "1000"] + arguments)
            return jokes.filter { !$0.id.hasPrefix("starter:") }
        }
    }

    private func setting() async throws -> Setting {
        let server = try LoopbackServer()
        server.route("/", LoopbackAnswer.json(feed))
        let setting = Setting(daemon: try DaemonUnderTest(), service: try UpstreamServer(service), feed: server)
        let folder = setting.daemon.folder
        try folder.write(ducks.map { "\($0)\n%\n" }.joined(), to: "ducks")
        // "A rude duck." in a file written by strfile -x and by an editor that rotates letters: flag 4, three texts.
        try folder.write("N ehqr qhpx.\n%\n", to: "rude")
        try folder.write(
            [0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 13, 0, 0, 0, 13, 0, 0, 0, 4, 37, 0, 0, 0] as [UInt8], to: "rude.dat")
        return setting
    }

    @Test("the default filter shows no unsafe joke from any source, and every change applies to cached jokes")
    func changes() async throws {
        let setting = try await setting()
        let daemon = setting.daemon
        let safe = #""safety": "safe""#
        try daemon.reload(setting.configuration(ducks: safe))
        try await daemon.waitForSyncs()
        let harmless = Set(["A safe duck.", "Eine Ente."])
        let vouching = "A duck that vouches for itself."
        let numbered = Set(ducks.dropLast())
        let first = try setting.list()
        #expect(Set(first.map(\.setup)) == harmless.union(numbered))

        // A favorite and a hidden joke keep their marks through all changes.
        let favorite = try #require(first.first { $0.setup == "Duck number 7." })
        let hidden = try #require(first.first { $0.setup == "Duck number 8." })
        #expect(try daemon.control("favorite", favorite.id).ending == .exited(0))
        #expect(try daemon.control("hide", hidden.id).ending == .exited(0))
        func shown(_ configuration: String) async throws -> Set<String> {
            try daemon.reload(configuration)
            try await daemon.waitForSyncs()
            let jokes = try setting.list()
            #expect(Set(jokes.map(\.id)).count == Set(jokes.map(\.setup)).count, "each joke is listed once")
            #expect(jokes.allSatisfy { $0.favorite == ($0.id == favorite.id) })
            return Set(jokes.map(\.setup))
        }
        let visible = harmless.union(numbered).subtracting([hidden.setup])
        #expect(try await shown(setting.configuration(ducks: #""safety": "safe", "language": "de""#)) == visible)
        #expect(try await shown(setting.configuration(ducks: nil)) == harmless)
        func favorites() throws -> [String] {
            try daemon.json("favorites", as: [PrintedJoke].self).map(\.id)
        }
        #expect(try favorites() == [favorite.id])
        #expect(try daemon.control("doctor").output.contains("jokesctl forget ducks"))
        #expect(try daemon.control("forget", "jokeapi").ending == .exited(1))
        #expect(try daemon.control("forget", "ducks").output == "41 jokes of 'ducks' removed.\n")
        #expect(try favorites() == [favorite.id])
        #expect(try await shown(setting.configuration(ducks: safe, feedSafety: "safe")) == visible.union([vouching]))
        #expect(try await shown(setting.configuration(ducks: #""safety": "unknown""#)) == harmless)
        #expect(try favorites() == [])
        #expect(try await shown(setting.configuration(ducks: safe)) == visible)
        #expect(try favorites() == [favorite.id])
    }
}
