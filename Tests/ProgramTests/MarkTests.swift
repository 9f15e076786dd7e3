import TestSupport
import Testing
import Unix

/// Favorites with notes and hidden jokes, with jokesctl.
@Suite struct MarkTests {
    private struct PrintedFavorite: Decodable, Equatable {
        var id: String
        var note: String?
        var favoritedAt: PrintedTime
    }

    private struct PrintedChange: Decodable, Equatable {
        var id: String
        var changed: Bool
    }

    @Test("a favorite keeps its note until a new or an empty note is given")
    func notes() throws {
        let daemon = try DaemonUnderTest()
        let id = try daemon.json("list", "--limit", "1", as: [PrintedJoke].self)[0].id
        let favorites: [PrintedFavorite] = try daemon.json("favorite", "--note", "for Ann,\nat tea", id)
        #expect(favorites.map(\.note) == ["for Ann,\nat tea"])
        #expect(try daemon.control("favorites").output.contains("\n    for Ann,\n    at tea\n"))
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self) == favorites)
        #expect(try daemon.json("favorite", "--note", "for Bob", id, as: [PrintedFavorite].self)[0].note == "for Bob")
        #expect(try daemon.json("favorite", "--note", "", id, as: [PrintedFavorite].self)[0].note == nil)
        try daemon.kill()
        try daemon.start()
        var bare = favorites
        bare[0].note = nil
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self) == bare)
    }

    @Test("a note is clean text of at most 500 characters, from jokesctl and from other clients")
    func noteBounds() throws {
        let daemon = try DaemonUnderTest()
        let id = try daemon.json("list", "--limit", "1", as: [PrintedJoke].self)[0].id
        let dirty: [PrintedFavorite] = try daemon.json("favorite", "--note", "red \u{1B}[31malert\u{7}\u{202E}", id)
        #expect(dirty.map(\.note) == ["red alert"])
        let longest = String(repeating: "é", count: 500)
        #expect(try daemon.control("favorite", "--note", longest, id).ending == .exited(0))
        let refused = try daemon.control("favorite", "--note", longest + "!", id)
        #expect(refused.ending == .exited(64) && refused.errors.contains("longer than 500 characters"))
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self).map(\.note) == [longest])
    }

    @Test("a command changes all its jokes, or none if one of them does not exist")
    func severalIDs() throws {
        let daemon = try DaemonUnderTest()
        let ids = try daemon.json("list", "--limit", "3", as: [PrintedJoke].self).map(\.id)
        for command in [["favorite"], ["--json", "favorite"], ["hide"], ["--json", "hide"]] {
            let refused = try daemon.control(command + [ids[0], ids[1], "nobody:1"])
            #expect(refused.ending == .exited(1) && refused.output.isEmpty && refused.errors.contains("nobody:1"))
        }
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self).isEmpty)
        let favorites = try daemon.control("--full-ids", "favorite", ids[2], ids[0])
        #expect(favorites.ending == .exited(0) && ids.map { favorites.output.contains($0) } == [true, false, true])
        let hidden: [PrintedChange] = try daemon.json("hide", ids[0], ids[1])
        #expect(hidden == ids.prefix(2).map { PrintedChange(id: $0, changed: true) })
        // Each command writes one batch, with one fsync.
        let journal = try contentsOfFile("\(daemon.state)/favorites.jsonl", limit: 1 << 20)
        let lines = String(decoding: journal, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains(#""end":true"#) } == [false, true, false, true])
        #expect(try daemon.control("unfavorite", ids[2], ids[2], ids[0]).ending == .exited(0))
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self).isEmpty)
    }

    @Test("any number of jokes is changed in batches; if a batch fails, those before it are done and printed")
    func batches() async throws {
        let daemon = try await DaemonUnderTest.serving((0..<150).map { "Duck number \($0)." })
        let ids = try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).map(\.id)
        let favorites: [PrintedFavorite] = try daemon.json(["favorite"] + ids)
        #expect(favorites.map(\.id) == ids)
        #expect(try daemon.favorites() == Set(ids))
        let mixed = ids.prefix(70) + ["nobody:1"] + ids.suffix(80)
        for (json, isDone) in [(["--json"], #""changed": true"#), ([], " is no longer a favorite.\n")] {
            #expect(try daemon.control(["favorite"] + ids).ending == .exited(0))
            let failed = try daemon.control(json + ["unfavorite"] + mixed)
            #expect(failed.ending == .exited(1) && failed.errors.contains("no joke matches 'nobody:1'"))
            #expect(failed.output.ranges(of: isDone).count == 64)
            #expect(try daemon.favorites() == Set(ids.dropFirst(64)))
        }
    }

    @Test("an excluded joke can be hidden or unfavorited by its full ID, and stays excluded")
    func excluded() async throws {
        let server = try UpstreamServer(
            JokeAPIService([
                JokeAPIService.Joke(0, "A harmless test joke."),
                JokeAPIService.Joke(1, "Excluded by a flag.", flags: ["nsfw"]),
            ]))
        let source = #"{"name": "jokeapi", "type": "jokeapi", "url": "\#(server.url)", "allowLocalNetwork": true}"#
        let daemon = try DaemonUnderTest(configuration: #"{"sources": [\#(source)], "filter": {"safe": false}}"#)
        try await daemon.waitForSyncs()
        #expect(try daemon.control("favorite", "jokeapi:en:0", "jokeapi:en:1").ending == .exited(0))
        try daemon.reload(#"{"sources": [\#(source)]}"#)
        let refused = try daemon.control("favorite", "jokeapi:en:1")
        #expect(refused.errors.contains("no joke matches 'jokeapi:en:1'"))
        for command in ["hide", "unfavorite"] {
            let result = try daemon.control(command, "jokeapi:en:1")
            #expect(result.ending == .exited(0) && result.output.hasPrefix("jokeapi:en:1 is "), "\(result)")
        }
        // Only the full ID matches.
        #expect(try daemon.control("unhide", "jokeapi:en:1x").ending == .exited(1))
        try daemon.reload(#"{"sources": [\#(source)], "filter": {"safe": false}}"#)
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self).map(\.id) == ["jokeapi:en:0"])
        #expect(try !daemon.json("list", as: [PrintedJoke].self).contains { $0.id == "jokeapi:en:1" })
    }
}
