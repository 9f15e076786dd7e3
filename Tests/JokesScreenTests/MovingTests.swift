import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct MovingTests {
    private func play(rows: Int = 9, jokes: Int = 30) throws -> Play {
        try Play(columns: 40, rows: rows, showing: snapshot(jokes: numbered(0..<jokes)))
    }

    @Test("the cursor starts on the first joke, and arrows and letters move it")
    func steps() throws {
        var play = try play()
        #expect(play.model.cursor == row(0))
        play.type("jj")
        play.press(.down)
        #expect(play.model.cursor == row(3))
        play.type("k")
        play.press(.up, .up, .up, .up)
        #expect(play.model.cursor == row(0))
    }

    @Test("the list scrolls only as far as necessary")
    func scrolling() throws {
        var play = try play()
        play.type("jjjjjj")
        #expect(play.cursorLine == 6)
        play.type("j")
        #expect(play.cursorLine == 6)
        play.type("kkkk")
        #expect(play.cursorLine == 2)
        #expect(play.model.top == Anchor(row: row(1), line: 0))
    }

    @Test("paging keeps the line of the cursor, and reaches the first and last rows")
    func pages() throws {
        var play = try play()
        play.press(.pageDown)
        #expect(play.model.cursor == row(6))
        #expect(play.cursorLine == 0)
        play.press(.control("d"), .control("u"), .pageUp)
        #expect(play.model.cursor == row(0))
        for _ in 0..<10 { play.press(.pageDown) }
        #expect(play.model.cursor == row(29))
        #expect(play.cursorLine == 6)
        for _ in 0..<10 { play.press(.control("u")) }
        #expect(play.model.cursor == row(0))
    }

    @Test("g and home select the first row, G and end the last")
    func ends() throws {
        var play = try play()
        play.type("G")
        #expect(play.model.cursor == row(29))
        #expect(play.cursorLine == 6)
        play.type("g")
        #expect(play.model.cursor == row(0))
        play.press(.end, .home)
        #expect(play.cursorLine == 0)
    }

    @Test("a row longer than the screen scrolls line by line, both ways")
    func longRow() throws {
        var play = Play(columns: 40, rows: 5)
        let long = joke("t:long", (1...9).map { "line \($0)" }.joined(separator: "\n"))
        play.happen(.changed(try snapshot(jokes: numbered(0..<1) + [long] + numbered(1..<3))))
        play.type("j ")
        #expect(play.list.hasPrefix("  line 1\n"))
        for _ in 0..<5 { play.type("j") }
        #expect(play.screen.contains("\n  line 9\n"))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:long"))))
        play.type("j")
        #expect(play.model.cursor == row(1))
        play.type("kkkkkk")
        #expect(play.list.hasPrefix("  line 1\n"))
        play.type("k")
        #expect(play.model.cursor == row(0))
    }

    @Test("space toggles the punchline; right shows it and left hides it")
    func reveal() throws {
        var play = try Play(columns: 40, rows: 8, showing: snapshot(jokes: [joke("t:1", "Setup?", "Punch.")]))
        #expect(!play.screen.contains("Punch."))
        play.type(" ")
        #expect(play.screen.contains("Punch."))
        play.press(.enter)
        #expect(!play.screen.contains("Punch."))
        play.type("ll")
        #expect(play.screen.contains("Punch."))
        play.type("h")
        #expect(!play.screen.contains("Punch."))
        // The only section has no header.
        play.type("h")
        #expect(play.screen.hasSuffix("h has no effect here; ? lists the keys"))
    }

    @Test("tab folds or unfolds the section and selects its header")
    func fold() throws {
        var play = Play(columns: 40, rows: 10)
        play.happen(.changed(try snapshot(favorites: [favorite("t:f", "Kept.")], jokes: numbered(0..<3))))
        play.type("gj")
        play.press(.tab)
        #expect(play.model.cursor == .header(.favoriteJokes))
        #expect(play.list.hasPrefix("▸ Favorites"))
        play.type("j")
        #expect(play.model.cursor == .header(.jokes))
        play.type("h")
        #expect(play.list.hasPrefix("▸ Favorites"))
        play.type("k")
        play.press(.tab)
        #expect(play.list.hasPrefix("▾ Favorites"))
    }

    @Test("the cursor is at the start of the selected row, hidden; in a prompt, it is shown at the end of the text")
    func position() throws {
        for (columns, rows) in [(80, 24), (120, 30), (40, 12), (20, 5)] {
            var play = try Play(columns: columns, rows: rows, showing: snapshot())
            for keys in ["", "j", "j", "G", "s", "q", "F", "j", "q"] {
                play.type(keys)
                if keys == "s" { play.happen(.answered(.sources, .sources(someSources))) }
                if keys == "F" { play.happen(.answered(.statistics, .statistics(someCounts))) }
                let (frame, line) = (view(play.model), try #require(play.cursorLine))
                #expect(frame.cursor == play.position(0, line) && !frame.showsCursor, "\(keys) at \(columns)")
            }
            play.type("/")
            #expect(view(play.model).cursor == Position(column: 1, row: rows - 1) && view(play.model).showsCursor)
        }
    }

    @Test("without a selected row, the cursor is at the start of the text")
    func unselected() throws {
        var play = Play()
        #expect(view(play.model).cursor == play.position(0, 0))
        play.happen(.changed(try snapshot()))
        play.type("?")
        #expect(view(play.model).cursor == play.position(0, 0))
    }
}

/// Jokes of one line each, `t:0`, `t:1` and so on.
func numbered(_ numbers: Range<Int>) -> [Item] {
    numbers.map { joke("t:\($0)", "Joke number \($0).") }
}

/// The row of a numbered joke.
func row(_ number: Int) -> RowID {
    .item(.joke(JokeID(rawValue: "t:\(number)")))
}
