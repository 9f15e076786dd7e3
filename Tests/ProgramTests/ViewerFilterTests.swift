import TestSupport
import Testing

/// Filters, notes and hidden jokes in the real viewer, with a real daemon.
@Suite struct ViewerFilterTests {
    @Test("the viewer filters by source, marks served jokes, stores a note, and shows a hidden joke again")
    func changes() async throws {
        let server = try OfficialJokeServer(
            (1...6).map { .init(setup: "Zebra joke number \($0)?", punchline: "Answer \($0).") })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let listed = try daemon.json("list", "--source", "official", as: [PrintedJoke].self)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        let before = viewer.text

        try viewer.type("F")
        try viewer.wait("the jokes were counted") { $0.contains("○ official") && $0.contains("○ starter") }
        try viewer.type("jjj ")
        try viewer.wait("the source was set") { $0.contains("● official") && $0.contains("─ Filters · 6 jokes ─") }
        try viewer.type("q")
        try viewer.wait("its jokes were shown") { $0.hasPrefix("╭─ Jokes 1/6 │ Random │ Sources [official] ─") }
        func unseen() throws -> Int {
            try daemon.json("list", "--source", "official", "--unseen", as: [PrintedJoke].self).count
        }
        #expect(try unseen() == 6)
        try viewer.type("z")
        try viewer.wait("a random joke was shown") {
            $0.contains("│ Random │ Sources [official] ─") && $0.contains("first seen")
        }
        try viewer.type("q")
        #expect(try unseen() == 5)

        try viewer.type("eFor Ann\r")
        try viewer.wait("the joke was a favorite") { $0.contains("★ \(listed[0].setup)") && $0.contains("Favorites") }
        #expect(try daemon.control("export").output.contains("For Ann"))
        try viewer.type("u")
        try viewer.wait("the favorite was removed") { !$0.contains("★") }

        try viewer.type("Gx")
        try viewer.wait("the joke was hidden") { !$0.contains(listed[5].setup) }
        try viewer.type("U")
        try viewer.wait("the page had it") { $0.contains("─ Hidden 1/1 ") && $0.contains(listed[5].setup) }
        try viewer.type("x")
        try viewer.wait("no joke was hidden") { $0.contains("No hidden jokes.") }
        try await waitUntil("the daemon showed it") {
            try daemon.json("list", "--source", "official", as: [PrintedJoke].self).map(\.id) == listed.map(\.id)
        }
        try viewer.type("u")
        try viewer.wait("it was hidden again") { $0.contains("─ Hidden 1/1 ") }
        try viewer.type("xqc")
        try viewer.wait("all jokes were shown") { !$0.contains("[official] ─") && viewer.status.contains("cleared") }
        try viewer.type("g")
        try viewer.wait("all was as before") { $0 == before }
        try viewer.quit()
    }
}
