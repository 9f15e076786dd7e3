import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// Popups over the list, and clicks on them, on the keys of the last line and on the tabs.
@Suite struct PopupTests {
    private func play(columns: Int = 80, rows: Int = 24) throws -> Play {
        try Play(columns: columns, rows: rows, showing: snapshot())
    }

    private func click(_ play: inout Play, on text: String) throws {
        let lines = play.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text)\n\(play.screen)")
        let start = try #require(lines[row].firstRange(of: text)?.lowerBound)
        let column = String(lines[row][..<start]).columns
        play.happen(.mouse(MouseEvent(.click, Position(column: column, row: row))))
    }

    @Test(
        "help, filters and a source are popups over the list, whose rows beside them stay; a small screen shows pages")
    func over() throws {
        for (key, title) in [("?", "╭─ Help ─"), ("F", "╭─ Filters · 6 jokes ─")] {
            var play = try play(columns: 120, rows: 30)
            play.type(key)
            #expect(play.screen.contains(title) && play.screen.contains("│★"))
            #expect(play.screen.hasPrefix("╭─ Jokes 1/6 │ Random │ Sources ─"))
            play = try self.play(columns: 40, rows: 12)
            play.type(key)
            #expect(!play.screen.contains("╭") && !play.screen.contains("★ What"))
        }
        var play = try play(columns: 120, rows: 30)
        play.openSources()
        play.press(.enter)
        #expect(play.screen.contains("╭─ Source official ─") && play.screen.contains("│ jokeapi "))
    }

    @Test("a popup that continues below its frame says so, until its end is shown")
    func more() throws {
        var play = try play()
        play.type("?")
        #expect(play.screen.contains(" ▾ more ─╯"))
        play.type("G")
        #expect(!play.screen.contains("▾ more") && play.screen.contains("test source"))
    }

    @Test("a click in the filters sets an entry, one beside them closes them and nothing else")
    func clicks() throws {
        var play = try play()
        play.openFilters()
        try click(&play, on: "dad ")
        #expect(play.model.selection.source?.only == ["dad"] && play.screen.contains("● dad"))
        let cursor = play.model.cursor
        play.happen(.mouse(MouseEvent(.click, Position(column: 3, row: 5))))
        #expect(play.model.page == nil && play.model.cursor == cursor)
    }

    @Test("a click on a key of the last line presses it; between the keys, and on a message, it does nothing")
    func hints() throws {
        var play = try play()
        try click(&play, on: "space punchline")
        #expect(play.screen.contains("— To get to the other core.") && play.screen.contains("hide punchline"))
        try click(&play, on: "f favorite")
        #expect(
            play.takeEffects().contains(.send(.favorite(JokeID(rawValue: "official:1"), isFavorite: true))))
        play.answer()
        let before = play.model.revealed
        // The message is in place of the keys.
        play.happen(.mouse(MouseEvent(.click, Position(column: 2, row: 23))))
        #expect(play.model.revealed == before && play.model.notice == nil)
        play.happen(.mouse(MouseEvent(.click, Position(column: 0, row: 23))))
        #expect(play.model.revealed == before)
        try click(&play, on: "/ search")
        play.type("du")
        #expect(play.screen.contains("\n/du"))
    }

    @Test("a click on a tab shows its section or page")
    func tabs() throws {
        var play = try Play(showing: snapshot(favorites: [favorite("dad:c", "Starred.")]))
        try click(&play, on: "Favorites")
        #expect(play.screen.hasPrefix("╭─ Favorites 1/1 │ Jokes 6 │"))
        try click(&play, on: "Random")
        #expect(play.model.page?.kind == .random)
        try click(&play, on: "Sources")
        #expect(play.model.page?.kind == .sources)
        try click(&play, on: "Sources")
        try click(&play, on: "Jokes 6")
        #expect(play.model.page == nil && play.screen.hasPrefix("╭─ Favorites 1 │ Jokes 1/6 │"))
    }

    @Test(
        "the last line offers only what works here: no change of a source that comes with jokesd, no m for a favorite")
    func possible() throws {
        var play = try play()
        play.openSources()
        #expect(play.screen.contains("E disable") && play.screen.contains("r refresh"))
        play.type("jjjjj")
        #expect(play.screen.contains("E enable") && !play.screen.contains("r refresh"))
        play.happen(
            .answered(
                .sources, .sources([SourceHealth(name: "starter", type: "bundled", enabled: true, jokes: JokeCounts())])
            ))
        for key in ["E ", "t test", "r refresh"] { #expect(!play.screen.contains(" \(key)"), "\(key)") }
        play.type("qF")
        #expect(!play.screen.contains("c clear"))
        play = try self.play(columns: 120)
        let jokes = [joke("t:1", "Seen."), joke("t:2", "New.", isSeen: false)]
        play.happen(.changed(try snapshot(favorites: [favorite("t:3", "Starred.")], jokes: jokes)))
        play.type("gj")
        #expect(play.screen.contains("f unfavorite") && play.screen.contains("y copy  ? help"))
        play.type("jj")
        #expect(play.screen.contains("y copy  m seen  ? help"))
        play.type("j")
        #expect(play.screen.contains("y copy  m seen  ? help"))
    }

    @Test("the sources are a table; columns without room are left out from the right, and long names are cut off")
    func table() throws {
        var play = try play(columns: 120)
        play.openSources()
        #expect(play.screen.contains(try Regex("name +state +cached +shown +last sync +next +│")))
        #expect(play.screen.contains(try Regex("official +ok +405 +405 +12:50 +19:00 +│")))
        play.happen(.resized(Size(columns: 60, rows: 24)))
        #expect(play.screen.contains(try Regex("name +state +cached +shown +│")))
        #expect(play.screen.contains(try Regex("tomorrow-and-a-na… +ok +2 +2 +│")))
    }
}
