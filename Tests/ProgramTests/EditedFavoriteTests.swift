import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// A favorite whose source changes the text of the joke.
@Suite struct EditedFavoriteTests {
    private func refresh(_ daemon: DaemonUnderTest) throws {
        let refreshed = try daemon.control("refresh", "mine")
        try #require(refreshed.ending == .exited(0), "\(refreshed)")
    }

    private func joke(_ id: String, _ daemon: DaemonUnderTest) throws -> GetMethod.Reply {
        try daemon.connect().call(GetMethod.self, .init(id: id))
    }

    @Test("the ID of a favorite means its old text, through edits, syncs and a restart, until it is removed")
    func edit() async throws {
        let server = try LoopbackServer()
        func serve(_ text: String, _ other: String = "Another duck.") {
            server.route("/jokes", .json(#"[{"id": 1, "text": "\#(text)"}, {"id": 2, "text": "\#(other)"}]"#))
        }
        serve("One duck.")
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                #"{"name": "mine", "type": "json", "url": "\#(server.url)/jokes", "allowLocalNetwork": true, "safety": "safe", "map": {"id": "/id", "text": "/text"}}"#
            ))
        try await daemon.waitForSyncs()
        #expect(try daemon.control("favorite", "mine:1").ending == .exited(0))

        for text in ["One goose.", "One swan."] {
            serve(text)
            try refresh(daemon)
            #expect(try joke("mine:1", daemon).joke.joke.content.text == .single("One duck."))
            let listed = try daemon.json("list", as: [PrintedJoke].self)
            let edited = try #require(listed.first { $0.setup == text })
            #expect(edited.id.hasPrefix("mine:~") && edited.starred != true)
            #expect(try joke(edited.id, daemon).missingSince == nil)
        }
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        // The same answer again would not count as a full sync.
        serve("One swan.", "Another goose.")
        try refresh(daemon)
        let kept = try joke("mine:1", daemon)
        #expect(kept.joke.joke.content.text == .single("One duck.") && kept.missingSince != nil)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == ["mine:1"])

        #expect(try daemon.control("unfavorite", "mine:1").ending == .exited(0))
        serve("One swan.", "Another swan.")
        try refresh(daemon)
        let replaced = try joke("mine:1", daemon)
        #expect(replaced.joke.joke.content.text == .single("One swan.") && replaced.missingSince == nil)
        #expect(try joke(#require(replaced.duplicates.first), daemon).missingSince != nil)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self) == [])
    }
}
