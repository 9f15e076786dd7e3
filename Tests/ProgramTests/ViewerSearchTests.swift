import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Search, favorites and hiding in the real viewer, with a real daemon.
@Suite struct ViewerSearchTests {
    private func daemonWithJokes(_ count: Int) async throws -> (DaemonUnderTest, OfficialJokeServer) {
        let server = try OfficialJokeServer(
            (1...count).map { .init(setup: "Zebra joke number \($0)?", punchline: "Answer \($0).") })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        return (daemon, server)
    }

    @Test("a search finds jokes of the whole cache during typing; Enter keeps it, and Escape returns to the jokes")
    func search() async throws {
        let (daemon, _) = try await daemonWithJokes(70)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        let before = viewer.text
        try viewer.type("/zebra nu")
        try viewer.wait("all were found") {
            $0.hasPrefix("╭─ Found 1/70 ") && viewer.status.contains("70 found")
        }
        try viewer.type("mber 57")
        try viewer.wait("one was found") { _ in
            viewer.list[0].hasPrefix("  Zebra joke number 57?") && viewer.list[1].isEmpty
        }
        #expect(viewer.status.hasPrefix("/zebra number 57") && viewer.screen.isCursorShown)
        try viewer.type("\r ")
        try viewer.wait("its punchline was shown") { $0.contains("— Answer 57.") && !viewer.screen.isCursorShown }
        try viewer.type("/\u{15}x\u{7F}nosuchword")
        try viewer.wait("nothing was found") { $0.contains("No jokes found.") && viewer.status.contains("0 found") }
        try viewer.type("\u{1B}")
        try viewer.wait("all was as before") { $0 == before }
        try viewer.quit()
    }

    @Test("no unknown key and no reply of the terminal changes a mark, hides a joke or ends the viewer")
    func unknownKeys() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        let before = try daemon.json("list", as: [PrintedJoke].self).map(\.id)
        for sequence in [
            "f", "H", "x", "q", "u", "\u{7F}", "P>|foot f\u{1B}\\", "]11;rgb:ffff/ffff/ffff\u{7}", "[97;3u", "[102;9u",
            "[?62;c", "[I",
            "[M Hf", "[3;5~", "\u{1B}f", "[99q",
        ] {
            try viewer.type("\u{1B}\(sequence)")
        }
        // Forms of End and Home, so that all before was read.
        try viewer.type("\u{1B}[4~")
        try viewer.wait("the last joke was selected") { $0.contains(#/Jokes (\d+)/\1 /#) }
        try viewer.type("\u{1B}[7~")
        try viewer.wait("the first joke was selected") { $0.contains(#/Jokes 1\/\d+ │/#) }
        #expect(try daemon.json("list", as: [PrintedJoke].self).map(\.id) == before)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
        try viewer.quit()
    }

    @Test("pasted text goes into an open search, and otherwise does nothing, even if it contains keys")
    func pasted() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        let before = try daemon.json("list", as: [PrintedJoke].self).map(\.id)
        try viewer.type("\u{1B}[200~fxq\r\u{3}\u{1B}[201~")
        try viewer.wait("it was refused") { _ in viewer.status.contains("Paste works only in a search") }
        try viewer.type("/\u{1B}[200~number\r5\r\u{1B}[201~")
        try viewer.wait("that was found") { _ in
            viewer.status.hasPrefix("/number 5 ") && viewer.status.contains("1 found")
        }
        #expect(try daemon.json("list", as: [PrintedJoke].self).map(\.id) == before)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
        try viewer.type("\u{1B}")
        try viewer.waitForJokes()
        try viewer.quit()
    }

    @Test("a hundred letters of a search can be typed and deleted without reaching a limit of the daemon")
    func typing() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        let before = viewer.text
        try viewer.type("/")
        var query = ""
        for letter in String(repeating: "zebra joke number ", count: 6) {
            query.append(letter)
            try viewer.type(String(letter))
            try viewer.wait("the letter was shown") { _ in viewer.status.contains(query.suffix(20).drop { $0 == " " }) }
        }
        try viewer.wait("all were found") { _ in viewer.status.contains("6 found") }
        try viewer.type(String(repeating: "\u{7F}", count: query.count + 1))
        try viewer.wait("all was as before") { $0 == before }
        #expect(try daemon.json("status", as: PrintedStatus.self).jokes.shown > 6)
        try viewer.quit()
    }

    @Test("after a restart of the daemon, the viewer continues the search")
    func rejoined() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("/number 3\r")
        try viewer.wait("it was found") { $0.contains(" [/number 3] ─") }
        try daemon.kill()
        try viewer.wait("the daemon was reported as unreachable") { _ in viewer.status.contains("daemon unreachable") }
        try viewer.type("/\u{7F}5")
        try viewer.wait("the query was changed") { _ in viewer.status.hasPrefix("/number 5") }
        try daemon.start()
        try viewer.wait("the search was continued") { _ in
            viewer.list[0].hasPrefix("  Zebra joke number 5?")
        }
        try viewer.type("\r")
        try viewer.quit()
    }

    @Test("the list has all jokes: G goes to the last one, g to the first, and paging goes through several windows")
    func older() async throws {
        let (daemon, _) = try await daemonWithJokes(700)
        let listed = try daemon.json("list", "--limit", "1000", as: [PrintedJoke].self).map { $0.setup.prefix(22) }
        try #require(listed.count > 720)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("G")
        try viewer.wait("the last joke was shown") { $0.contains("  \(listed[listed.count - 1])") }
        #expect(!viewer.text.contains("more"))
        try viewer.type("g")
        try viewer.wait("the first joke was shown") { $0.contains(" \(listed[0])") }
        while !viewer.text.contains(" \(listed[listed.count - 1])") {
            let before = viewer.text
            try viewer.type("\u{6}")
            try viewer.wait("the next page was shown") { $0 != before && !$0.contains("Loading") }
        }
        try viewer.quit()
    }

    @Test("u restores a favorite whose joke is no longer cached, with its text, note, time and position")
    func restored() throws {
        let daemon = try DaemonUnderTest()
        let favorites = [3, 2, 1].map { number in
            var favorite = Favorite.numbered(number)
            favorite.note = "note \(number)"
            return favorite
        }
        _ = try daemon.connect().call(ImportMethod.self, .init(favorites.map(ExchangeRecord.favorite), isLast: true))
        let before = try daemon.control("export").output
        #expect(before.contains("note 2"))
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("gjj")
        try viewer.wait("the second favorite was selected") { $0.contains("Favorites 2/3") }
        let shown = viewer.list
        #expect(viewer.text.contains("Favorites 2/3 "))
        try viewer.type("f")
        try viewer.wait("it was gone") { $0.contains("Favorites 2/2 ") }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == ["test:3", "test:1"])
        try viewer.type("u")
        try viewer.wait("it was back") { $0.contains("/3 ") }
        #expect(try daemon.control("export").output == before)
        try viewer.wait("all was as before") { _ in viewer.list == shown }
        try viewer.quit()
    }

    @Test("a joke that was read in the viewer is seen, and the next random jokes are others")
    func read() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let listed = try daemon.json("list", "--source", "official", as: [PrintedJoke].self)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("j ")
        func unseen() throws -> [String] {
            try daemon.json("list", "--source", "official", "--unseen", as: [PrintedJoke].self).map(\.id)
        }
        try await waitUntil("the joke was seen") { try unseen() == listed.map(\.id).filter { $0 != listed[1].id } }
        let served = try (0..<5).map { _ in
            try daemon.control("random", "--source", "official", "--format", "{id}").output.dropLast().description
        }
        #expect(served.sorted() == listed.map(\.id).filter { $0 != listed[1].id }.sorted())
        try viewer.type("m")
        try await waitUntil("the joke was unseen") { try unseen() == [listed[1].id] }
        try viewer.type("AA")
        try viewer.wait("all were marked") { _ in viewer.status.contains("marked as seen") }
        #expect(try unseen().isEmpty)
        try viewer.quit()
    }

    @Test("the next viewer starts with the filters and the joke of the last one, from a file for its user alone")
    func remembered() async throws {
        let (daemon, _) = try await daemonWithJokes(6)
        let listed = try daemon.json("list", "--source", "official", as: [PrintedJoke].self)
        let variables = ["XDG_STATE_HOME": daemon.folder.path("state")]
        var viewer = try OpenViewer(on: daemon.socket, variables: variables)
        try viewer.waitForJokes()
        try viewer.type("F")
        try viewer.wait("the jokes were counted") { $0.contains("\u{25CB} official") }
        try viewer.type("jjj q4G")
        try viewer.wait("the fourth joke was selected") { $0.contains(" Jokes 4/6 ") }
        try viewer.quit()
        let file = daemon.folder.path("state/jokesd/viewer.json")
        #expect(try ChildProcess.run("/usr/bin/stat", ["-c", "%a", file]).output == "600\n")
        viewer = try OpenViewer(on: daemon.socket, variables: variables)
        try viewer.wait("it was as before") { $0.contains(" Jokes 4/6 ") && $0.contains(listed[3].setup) }
        try viewer.quit()
    }
}
