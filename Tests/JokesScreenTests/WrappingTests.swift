import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct WrappingTests {
    private func play(_ rows: Int = 13) throws -> Play {
        var play = Play(columns: 40, rows: rows)
        play.happen(
            .changed(
                try snapshot(
                    jokes: (0..<30).map {
                        joke("t:\($0)", "Joke \($0), which is wider than a screen of forty columns can be.")
                    })))
        return play
    }

    @Test(
        "without wrapping, each row has one line; with wrapping again, the screen is as before")
    func oneLine() throws {
        var play = try play()
        let before = play.screen
        play.type("w")
        for number in 0..<10 { #expect(play.screen.contains("\n  Joke \(number), ")) }
        #expect(play.screen.contains("Line wrapping off; w turns it on"))
        play.type("w")
        play.press(.control("l"))
        #expect(play.screen == before)
    }

    @Test("toggling wrapping keeps the cursor on its line if there are enough rows above")
    func steady() throws {
        var play = try play()
        play.type("jjjjjjjjjjjj")
        let (row, line) = (play.model.cursor, play.cursorLine)
        play.type("w")
        #expect(play.model.cursor == row && play.cursorLine == line)
        play.type("w")
        #expect(play.model.cursor == row && play.cursorLine == line)
    }

    @Test("a revealed row shows its whole joke even without wrapping")
    func revealed() throws {
        var play = try play()
        play.type("w ")
        #expect(play.screen.contains("columns can be."))
        play.type(" ")
        #expect(!play.screen.contains("columns can be."))
    }

    @Test("a row has the lines of its joke, up to the height of the list")
    func long() throws {
        var play = Play(columns: 40, rows: 13)
        let jokes = [7, 100, 1].map { count in
            joke("t:\(count)", (1...count).map { "line \($0) of \(count)" }.joined(separator: "\n"))
        }
        play.happen(.changed(try snapshot(jokes: jokes)))
        for line in 1...7 { #expect(play.screen.contains("  line \(line) of 7")) }
        play.type("j")
        #expect(play.list.hasPrefix("  line 1 of 100") && play.screen.contains("  line 11 of 100\u{2026}"))
        play.type(" ")
        #expect(!play.screen.contains("\u{2026}"))
        var seen: Set<Substring> = []
        for _ in 0..<100 where play.model.cursor == .item(.joke(JokeID(rawValue: "t:100"))) {
            seen.formUnion(play.screen.split(separator: "\n"))
            play.type("j")
        }
        for line in 1..<100 { #expect(seen.contains("  line \(line) of 100")) }
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:1"))))
    }
}
