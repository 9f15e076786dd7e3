import JokesCore
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
