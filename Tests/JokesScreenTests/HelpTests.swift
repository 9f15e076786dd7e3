import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct HelpTests {
    private func play(columns: Int = 80, rows: Int = 24) throws -> Play {
        var play = try Play(columns: columns, rows: rows, showing: snapshot())
        play.type("?")
        return play
    }

    @Test("the help groups the keys by subject; q is on its first screen at every size")
    func groups() throws {
        for (columns, rows) in [(80, 24), (40, 12), (120, 30), (200, 50)] {
            let play = try play(columns: columns, rows: rows)
            #expect(play.screen.contains("q ^C") && play.screen.contains("back, or quit"), "\(play.screen)")
        }
        let wide = try play(columns: 120, rows: 30)
        for title in ["Program", "Moving", "Searching", "Jokes", "Sources and pages"] {
            #expect(wide.screen.contains(title))
        }
        // Next to each other.
        #expect(wide.list.split(separator: "\n")[1].contains(try Regex("Program +.*(Jokes|Moving|Searching)")))
    }

    @Test("? opens the help from every page, and q returns to that page")
    func fromPages() throws {
        for keys in ["s", "z", "p", "s?", "z?"] {
            var play = try Play(columns: 40, rows: 12, showing: snapshot())
            play.type(keys)
            let before = play.screen
            let isHelp = keys.hasSuffix("?")
            if !isHelp { play.type("?") }
            #expect(play.model.page?.kind == .help)
            play.type("q")
            if !isHelp { #expect(play.screen == before) }
            play.type("q")
            #expect(play.model.page == nil)
        }
    }

    @Test("/ finds keys by name, summary and subject while you type; escape leaves the filter, then the page")
    func finds() throws {
        var play = try play()
        play.type("/LAST")
        #expect(play.screen.contains("last row") && play.screen.contains("undo the last change"))
        #expect(!play.screen.contains("next row"))
        #expect(play.screen.contains("\n/LAST") && play.screen.hasSuffix(" 2 found"))
        #expect(view(play.model).cursor == Position(column: 5, row: 23))
        play.type(" undo")
        #expect(play.screen.hasSuffix(" 1 found"))
        play.press(.enter)
        #expect(!play.screen.contains("last row") && play.screen.contains("Esc all keys"))
        play.press(.escape)
        #expect(play.screen.contains("next row") && play.model.page?.kind == .help)
        play.type("/searching")
        #expect(play.screen.contains("next match") && !play.screen.contains("next row"))
        play.press(.control("u"))
        play.happen(.pasted("pgdn"))
        #expect(play.screen.contains("page down") && play.screen.hasSuffix(" 1 found"))
        play.press(.escape, .escape)
        #expect(play.model.page == nil && play.takeEffects() == [])
    }
}
