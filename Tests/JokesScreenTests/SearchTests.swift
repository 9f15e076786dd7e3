import Diffable
import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct SearchTests {
    private func play(jokes: Int = 30) throws -> Play {
        try Play(columns: 60, rows: 10, showing: snapshot(jokes: numbered(0..<jokes)))
    }

    private func watching(_ query: String) -> [Effect] { [.send(.watch(View(query: query)))] }

    @Test(
        "when the end of a search unfolds the favorites, the cursor stays on the screen",
        arguments: [Key.escape, .control("c")])
    func unfoldedFavorites(key: Key) throws {
        var play = Play(columns: 60, rows: 12)
        play.type("/")
        let favorites = (0..<20).map { favorite("t:\($0)", "Kept.") }
        play.happen(.changed(try found("duck", ["duck"], favorites: favorites)))
        play.press(key)
        #expect(view(play.model).lines.contains { $0.isSelected })
    }

    @Test("each letter searches the whole cache at once, and the prompt shows the query")
    func asYouType() throws {
        var play = try play()
        play.type("/")
        #expect(play.takeEffects() == [])
        #expect(play.screen.contains("\n/") && play.screen.hasSuffix("Esc cancels"))
        play.type("du")
        #expect(play.takeEffects() == watching("d") + watching("du"))
        #expect(play.screen.contains("\n/du") && play.screen.hasSuffix("searching…"))
        play.happen(.changed(try found("du", ["duck", "dusk"])))
        #expect(
            play.list.hasPrefix("  A duck joke.") && play.screen.hasSuffix("2 found"))
        #expect(play.cursorLine == 0)
        #expect(view(play.model).cursor == Position(column: 3, row: 9))
    }

    @Test("the end of a query of any length is visible, with the cursor after it")
    func longQuery() throws {
        var play = try play()
        play.type("/" + String(repeating: "long ", count: 30) + "end")
        #expect(play.screen.contains("long end"))
        #expect((view(play.model).cursor?.column ?? 0) < 60)
        #expect(view(play.model).lines.allSatisfy { $0.columns == 60 })
        play.happen(.resized(Size(columns: 3, rows: 3)))
        #expect(view(play.model).lines.allSatisfy { $0.columns == 3 })
    }

    @Test("matches are highlighted")
    func marks() throws {
        var play = try play()
        play.type("/du")
        play.happen(.changed(try found("du", ["duck"])))
        let spans = view(play.model).lines[1].spans.filter { $0.style.attributes.contains(.underline) }
        #expect(spans.map(\.text) == ["duck"])
    }

    @Test("a match in a hidden punchline is only mentioned; revealed, it is highlighted")
    func punchline() throws {
        let text = JokeText.twoPart(setup: "Why?", punchline: "A duck.")
        let joke = Joke(
            id: JokeID(rawValue: "t:1"), content: JokeContent(text: text), isFavorite: false, firstSeen: noon)
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.searchResults(query: "duck", count: 1, isExact: true)])
        try snapshot.appendItems(
            [.found(FoundJoke(joke: joke, marks: [TextRange(.punchline, 2..<6)]))], toSection: .searchResults)
        var play = Play(columns: 60, rows: 10)
        play.search("duck")
        play.happen(.changed(snapshot))
        #expect(play.screen.contains("found in the punchline") && !play.screen.contains("A duck."))
        play.type(" ")
        #expect(play.screen.contains("— A duck.") && !play.screen.contains("found in"))
        let underlined = view(play.model).lines.flatMap(\.spans).filter { $0.style.attributes.contains(.underline) }
        #expect(underlined.map(\.text) == ["duck"])
    }

    @Test("backspace, ^W and ^U delete text; backspace in an empty prompt closes it")
    func editing() throws {
        var play = try play()
        play.type("/a duck")
        _ = play.takeEffects()
        play.press(.backspace)
        #expect(play.takeEffects() == watching("a duc"))
        play.press(.control("w"))
        #expect(play.takeEffects() == watching("a "))
        play.press(.control("u"))
        #expect(play.takeEffects() == [.send(.watch(View()))])
        // A blank query is not searched.
        play.type(" ")
        play.press(.backspace)
        #expect(play.model.search != nil)
        play.press(.backspace)
        #expect(play.model.search == nil)
        #expect(play.takeEffects() == [])
    }

    @Test("pasted text goes in at the cursor of the prompt, up to the maximum, and is ignored elsewhere")
    func paste() throws {
        var play = try play()
        play.type("/a q")
        play.press(.left)
        _ = play.takeEffects()
        play.happen(.pasted("duck "))
        #expect(play.takeEffects() == watching("a duck q"))
        play.happen(.pasted(String(repeating: "é", count: 900)))
        let query = try #require(play.model.search?.query)
        #expect(query.utf8.count == 1000 && query.hasPrefix("a duck éé") && query.hasSuffix("éq"))
        #expect(play.takeEffects().count == 1 && play.screen.hasSuffix("query too long"))
        play.press(.escape)
        _ = play.takeEffects()
        for isPage in [false, true] {
            if isPage { play.type("?") }
            play.happen(.pasted("qfHrj"))
            #expect(
                play.takeEffects() == []
                    && play.screen.hasSuffix("Paste works only in a search or note; / and e start one"))
            #expect(play.model.search == nil && (play.model.page != nil) == isPage)
        }
    }

    @Test("enter keeps the search and closes the prompt; the slash reopens it")
    func kept() throws {
        var play = try play()
        play.search("du")
        play.happen(.changed(try found("du", ["duck", "dusk"])))
        _ = play.takeEffects()
        play.type("j")
        #expect(play.cursorLine == 1)
        #expect(!play.screen.contains("\n/du") && play.screen.contains(" [/du]\n"))
        play.type("/")
        #expect(play.screen.contains("\n/du"))
        play.type("s")
        #expect(play.takeEffects() == watching("dus"))
    }

    @Test("escape ends a search, and the cursor returns to its row and line")
    func left() throws {
        for isKept in [false, true] {
            var play = try play()
            play.type("jjjjjjjjjjjkkkl")
            // Without the notice that the joke has no punchline.
            play.press(.control("l"))
            let before = play.screen
            let (row, line) = (play.model.cursor, play.cursorLine)
            play.type("/du")
            if isKept { play.press(.enter) }
            play.happen(.changed(try found("du", ["duck", "dusk"])))
            _ = play.takeEffects()
            play.press(.escape)
            #expect(play.takeEffects() == [.send(.watch(View()))])
            play.happen(.changed(try snapshot(jokes: numbered(0..<30))))
            #expect(play.model.cursor == row && play.cursorLine == line)
            #expect(play.screen == before)
        }
    }

    @Test("in a prompt of any width, the terminal's cursor is on the character of the cursor")
    func visibleCursor() throws {
        let query = String(repeating: "a 日 b👨‍👩‍👧e\u{301}x", count: 12)
        for columns in [12, 13, 30, 31, 60, 200] {
            var play = try Play(columns: columns, rows: 10, showing: snapshot())
            play.type("/" + query)
            for character in query.reversed() {
                play.press(.left)
                let frame = view(play.model)
                let (line, column) = (frame.lines[9], try #require(frame.cursor).column)
                var rest = line.plainText[...]
                while rest.columns > line.columns - column { rest.removeFirst() }
                #expect(rest.first == character && line.columns == columns, "\(columns): \(line.plainText)")
            }
        }
    }

    @Test("↑ and ↓ go through the texts of earlier searches, and no typed text is lost")
    func history() throws {
        var play = try play()
        play.type("/duck")
        play.press(.enter, .escape)
        play.type("/cat")
        play.press(.escape)
        play.type("?/keys")
        play.press(.control("c"))
        play.type("q/new")
        _ = play.takeEffects()
        for (key, query) in [
            (Key.up, "keys"), (.up, "cat"), (.control("p"), "duck"), (.character("s"), "ducks"), (.down, "cat"),
            (.control("n"), "keys"), (.down, "new"), (.up, "keys"), (.up, "cat"), (.up, "ducks"),
        ] {
            play.press(key)
            #expect(play.takeEffects() == watching(query) && play.screen.contains("\n/\(query) "))
        }
        play.press(.up)
        #expect(play.takeEffects() == [] && play.screen.hasSuffix("↑ has no effect here"))
        play.press(.control("c"))
        play.type("/")
        _ = play.takeEffects()
        for query in ["ducks", "new", "keys", "cat", "duck"] {
            play.press(.up)
            #expect(play.takeEffects() == watching(query))
        }
    }

    @Test("in the prompt, PgDn moves in the results, and each letter selects the first result")
    func moving() throws {
        var play = try play()
        play.type("/d")
        play.happen(.changed(try found("d", ["duck", "dusk"])))
        play.press(.pageDown)
        #expect(play.cursorLine == 1)
        play.type("u")
        play.happen(.changed(try found("du", ["dusk", "duck"])))
        #expect(play.cursorLine == 0)
        play.press(.control("c"))
        #expect(play.model.search == nil)
    }

    @Test("n and N go to the next and previous result from any row, and wrap at the ends")
    func fromOneToTheNext() throws {
        var play = try play()
        play.search("du")
        play.happen(.changed(try found("du", ["duck", "dusk"], favorites: [favorite("t:7", "Kept.")])))
        play.type("g")
        for (key, line) in [("n", 2), ("n", 3), ("n", 2), ("N", 3), ("N", 2), ("gN", 3)] {
            play.type(key)
            #expect(play.cursorLine == line, "after \(key)")
        }
        play.type("g}")
        #expect(play.model.cursor == .header(.searchResults))
        play.press(.tab)
        play.type("n")
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:duck"))))
    }

    @Test("an empty result says so, with a hint")
    func nothing() throws {
        var play = try play()
        play.search("x")
        play.happen(.changed(try found("x", [])))
        #expect(play.screen.contains("No jokes found") && play.screen.contains("Esc"))
        play.type("n")
        #expect(play.screen.hasSuffix("No matches; / edits the search"))
    }

    @Test("a highlighted match is visible in rows of any width, even late in the text")
    func farBehind() throws {
        for text in [String(repeating: "word ", count: 400), String(repeating: "\u{65E5}\u{672C}e\u{301}", count: 400)]
        {
            for (columns, rows) in [(80, 24), (40, 12), (20, 5), (12, 4)] {
                var play = Play(columns: columns, rows: rows)
                let content = JokeContent(text: .single(text + " duck and more"))
                let start = text.utf8.count + 1
                let joke = Joke(id: JokeID(rawValue: "t:1"), content: content, isFavorite: false, firstSeen: noon)
                var results = try found("duck", [], count: 1)
                let item = Item.found(FoundJoke(joke: joke, marks: [TextRange(.setup, start..<start + 4)]))
                try results.appendItems([item], toSection: .searchResults)
                play.happen(.changed(try snapshot()))
                play.search("duck")
                play.happen(.changed(results))
                // The row of the cursor has only one style, so the cursor moves away.
                play.type("k")
                for _ in 0..<2 {
                    let marked = view(play.model).lines.flatMap(\.spans).filter {
                        $0.style.attributes.contains(.underline)
                    }
                    #expect(marked.map(\.text).first == "duck", "\(columns) columns:\n\(play.screen)")
                    play.type("wk")
                }
            }
        }
    }

    @Test("if favorites fill the screen, the hint of an empty result is still visible")
    func nothingBelowFavorites() throws {
        var play = Play(columns: 40, rows: 10)
        let favorites = (0..<30).map { favorite("t:\($0)", "Kept \($0).") }
        play.happen(.changed(try snapshot(favorites: favorites)))
        play.type("/x")
        play.happen(.changed(try found("x", [], favorites: favorites)))
        #expect(play.screen.contains("No jokes found.") && play.screen.contains("Esc shows all"))
        #expect(play.model.cursor == .header(.searchResults) && play.cursorLine != nil)
        play.press(.up, .end)
        #expect(play.screen.contains("Esc shows all"))
    }

    @Test("a search without a connection says so, and shows results after a reconnect")
    func away() throws {
        var play = try play()
        play.type("/du")
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        #expect(play.screen.hasSuffix("daemon unreachable"))
        play.happen(.connecting, .changed(try found("du", ["duck"])))
        #expect(play.screen.hasSuffix("1 found") && play.cursorLine == 0)
    }

    @Test("braces go from section to section")
    func sections() throws {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(favorites: [favorite("t:7", "Kept.")], jokes: numbered(0..<30))))
        play.type("G{")
        #expect(play.model.cursor == .header(.jokes) && play.cursorLine == 0)
        play.type("{")
        #expect(play.model.cursor == .header(.favoriteJokes))
        play.type("{")
        #expect(play.screen.hasSuffix("Start of the list"))
        play.type("j}")
        #expect(play.model.cursor == .header(.jokes))
        play.type("}")
        #expect(play.screen.hasSuffix("End of the list"))
    }
}

/// The snapshot of a search that found a joke about each of the words. The words are highlighted.
func found(
    _ query: String, _ words: [String], favorites: [Item] = [], count: Int? = nil, start: Int = 0
) throws -> JokeSnapshot {
    var snapshot = JokeSnapshot()
    if !favorites.isEmpty {
        let section = Section.favoriteJokes(count: favorites.count)
        snapshot.appendSections([section])
        try snapshot.appendItems(favorites, toSection: section.id)
    }
    snapshot.appendSections([
        .searchResults(query: query, count: count ?? words.count, isExact: true, start: start)
    ])
    let rows = words.map { word in
        let text = JokeText.single("A \(word) joke.")
        let joke = Joke(
            id: JokeID(rawValue: "t:\(word)"), content: JokeContent(text: text), isFavorite: false, isSeen: true,
            firstSeen: noon)
        return Item.found(FoundJoke(joke: joke, marks: [TextRange(.setup, 2..<2 + word.utf8.count)]))
    }
    try snapshot.appendItems(rows, toSection: .searchResults)
    return snapshot
}
