import JokesCore
import TestSupport
import Testing

/// The options that select jokes, in every command that has them.
@Suite struct SelectionTests {
    /// Two sources with jokes of several categories, languages and lengths.
    private struct World {
        let server: UpstreamServer<JokeAPIService>
        let daemon: DaemonUnderTest

        init() async throws {
            server = try UpstreamServer(
                JokeAPIService([
                    JokeAPIService.Joke(0, category: "Pun", "A duck walks into a bar of soap."),
                    JokeAPIService.Joke(
                        1, category: "Programming", "A duck wrote a compiler, and it compiled a goose."),
                    JokeAPIService.Joke(2, category: "Programming", "A duck likes C."),
                    JokeAPIService.Joke(0, lang: "de", category: "Pun", "Eine Ente, also a duck, geht baden."),
                ]))
            daemon = try DaemonUnderTest()
            let file = try daemon.folder.write("A duck of another source.\n%\nA fortune duck.\n", to: "f")
            let source =
                #"{"name": "jokeapi", "type": "jokeapi", "url": "\#(server.url)", "allowLocalNetwork": true, "#
                + #""languages": ["en", "de"]}"#
            try daemon.reload(configuration(source, fortuneSource(file)))
            try await daemon.waitForSyncs()
        }

        /// The IDs that a command prints.
        func ids(_ command: String, _ options: [String]) throws -> Set<String> {
            let words = command == "search" ? [command, "duck"] : [command]
            let output = try daemon.control(words + options + ["--format", "{id}"]).output
            return Set(output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("starter:") })
        }
    }

    @Test("list, search, random and watch select the same jokes, and favorites selects favorites")
    func everywhere() async throws {
        let world = try await World()
        let all = try world.ids("list", [])
        try #require(all.count == 6)
        let favorites: Set = ["jokeapi:en:1", "jokeapi:de:0"]
        #expect(try world.daemon.control(["favorite"] + favorites.sorted()).ending == .exited(0))
        let seen = try world.daemon.json("random", "--source", "fortunes", as: PrintedJoke.self).id
        let fortunes = all.filter { $0.hasPrefix("fortunes:") }
        let programming: Set = ["jokeapi:en:1", "jokeapi:en:2"]
        try await waitUntil("the served joke was written") { try !world.ids("list", ["--unseen"]).contains(seen) }
        let cases: [(options: [String], ids: Set<String>)] = [
            // First, because the others serve more jokes.
            (["--source", "fortunes", "--unseen"], fortunes.subtracting([seen])),
            (["--source", "fortunes"], fortunes), (["--source", "jokeapi"], all.subtracting(fortunes)),
            (["--category", "programming"], programming),
            (["--category", "PUN", "--language", "de"], ["jokeapi:de:0"]), (["--language", "de"], ["jokeapi:de:0"]),
            (["--max-length", "20"], fortunes.filter { $0 != longer(fortunes, world) }.union(["jokeapi:en:2"])),
            (["--source", "fortunes,jokeapi", "--not-language", "de"], all.subtracting(["jokeapi:de:0"])),
            (["--not-source", "starter,jokeapi"], fortunes),
            (
                ["--category", "pun", "--category", "Programming", "--not-language", "de"],
                programming.union(["jokeapi:en:0"])
            ),
            (["--source", "jokeapi", "--not-category", "pun"], programming),
            (["--favorites"], favorites), (["--favorites", "--language", "en"], ["jokeapi:en:1"]),
        ]
        #expect(try world.daemon.control("favorites", "--max-length", "1").output.contains("No favorite matches."))
        for (options, ids) in cases {
            for command in ["list", "search"] {
                #expect(try world.ids(command, options) == ids, "\(command) \(options)")
            }
            let watcher = try ChildProcess(
                builtProgram("jokesctl"),
                ["--socket", world.daemon.socket, "watch", "--limit", "100", "--format", "{id}"] + options)
            _ = try watcher.output.waitForLines(ids.count)
            #expect(
                Set(watcher.output.lines.map(String.init)).filter { !$0.hasPrefix("starter:") } == ids, "\(options)")
            let isOfFavorites = !options.contains("--favorites") && !options.contains("--unseen")
            if isOfFavorites {
                #expect(try world.ids("favorites", options) == ids.intersection(favorites), "\(options)")
            }
            for _ in 0..<3 where !options.contains("--unseen") {
                let joke: PrintedJoke = try world.daemon.json(["random"] + options)
                #expect(ids.contains(joke.id) || joke.id.hasPrefix("starter:"), "\(options): \(joke.id)")
            }
        }
    }

    /// The fortune of more than 20 characters.
    private func longer(_ ids: Set<String>, _ world: World) -> String? {
        ids.first { id in
            (try? world.daemon.control("show", id, "--format", "{setup}").output.count).map { $0 > 21 } == true
        }
    }

    @Test("every command refuses an unknown source, category or language, and suggests a similar one")
    func unknown() async throws {
        let world = try await World()
        let names: [(options: [String], error: String)] = [
            (["--source", "fortunes,jokeap"], "unknown source 'jokeap'\nDid you mean 'jokeapi'?\n"),
            (["--not-source", "nobody"], "unknown source 'nobody'\nTry: jokesctl"),
            (["--category", "pun", "--category", "programing"], "'programing'\nDid you mean 'programming'?\n"),
            (["--not-category", "none\\,such"], "unknown category 'none,such'\nTry: jokesctl"),
            (["--language", "en,fi"], "unknown language 'fi'\nTry: jokesctl"),
        ]
        let commands = ["random", "list", "search duck", "favorites", "categories", "stats", "watch"]
        for command in commands.map({ $0.split(separator: " ").map(String.init) }) {
            for (options, error) in names {
                let result = try world.daemon.control(command + options)
                #expect(
                    result.ending == .exited(1) && result.output.isEmpty && result.errors.contains(error),
                    "\(command) \(options): \(result)")
            }
        }
    }

    @Test("the matches are bold on a terminal only, on one line with the ID")
    func marks() async throws {
        let daemon = try await DaemonUnderTest.serving(["The zebra\nand the Zebräs.", "No such animal."])
        let plain = try daemon.control("search", "zebra").output
        #expect(plain.hasSuffix("  The zebra and the Zebräs.\n") && plain.split(separator: "\n").count == 1)
        let colored = try daemon.control("--color", "always", "search", "zebra").output
        #expect(colored.contains("The \u{1B}[1mzebra\u{1B}[0m and the \u{1B}[1mZebräs\u{1B}[0m."))
        #expect(try daemon.control("search", "giraffe").output.contains("No shown joke matches. Search for "))
        for query in ["-giraffe", "\"", "!!! -\"giraffe\""] {
            #expect(try daemon.control("search", "--", query).output.contains("No shown joke matches. "))
        }
    }

    @Test("the JSON has the joke, and its marks as ranges of bytes")
    func json() async throws {
        let daemon = try await DaemonUnderTest.serving(["Ä zebra."])
        let found: [PrintedSearchResult] = try daemon.json("search", "zebra")
        #expect(found.map(\.joke.setup) == ["Ä zebra."])
        #expect(found.first?.marks == [PrintedSearchResult.TextRange(part: "setup", start: 3, end: 8)])
        #expect(found.first?.snippet == PrintedSearchResult.TextRange(part: "setup", start: 0, end: 9))
    }
}
