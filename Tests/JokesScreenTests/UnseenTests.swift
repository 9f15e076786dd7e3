import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct UnseenTests {
    /// Jokes of which every third is unseen: 1, 4, 7…
    private func jokes(_ numbers: Range<Int>) -> [Item] {
        numbers.map { joke("t:\($0)", "Joke number \($0).", isFavorite: $0 == 4, isSeen: $0 % 3 != 1) }
    }

    private func play(_ jokes: [Item], header: JokesHeader? = nil) throws -> Play {
        var play = Play(columns: 60, rows: 20)
        play.happen(.changed(try snapshot(jokes: jokes, header: header)))
        return play
    }

    @Test("an unseen joke has a dot until it is served; a star and the mark of a new joke take its place")
    func marked() throws {
        var play = try play(jokes(1..<9))
        #expect(play.list.contains("· Joke number 1.") && play.list.contains("  Joke number 2."))
        #expect(play.list.contains("★ Joke number 4.") && play.list.contains("· Joke number 7."))
        play.happen(.changed(try snapshot(jokes: [joke("t:0", "New.", isSeen: false)] + jokes(1..<9))))
        #expect(play.list.contains("• New."))
        play.happen(.timerEnded(.arrivals))
        #expect(play.list.contains("· New."))
        play.happen(.changed(try snapshot(jokes: [joke("t:0", "New.")] + jokes(1..<9))))
        #expect(play.list.contains("  New."))
    }

    @Test("] goes to the next unseen joke of the section, and wraps with a notice")
    func next() throws {
        var play = try play(jokes(0..<9))
        for number in [1, 4, 7] {
            play.type("]")
            #expect(play.model.cursor == row(number) && !play.screen.contains("Wrapped"))
        }
        play.type("]")
        #expect(play.model.cursor == row(1) && play.screen.hasSuffix("Wrapped to the first unseen joke"))
        play.happen(.changed(try snapshot(favorites: [favorite("t:9", "Kept.")], jokes: jokes(0..<9))))
        play.type("g]")
        #expect(play.model.cursor == row(1))
        play.type("G")
        play.press(.tab)
        play.type("]")
        #expect(play.model.cursor == row(1) && play.model.folded.isEmpty)
    }

    @Test("without unseen jokes, ] says so and the cursor stays")
    func none() throws {
        var play = try play(numbered(0..<3))
        let cursor = play.model.cursor
        play.type("]")
        #expect(play.model.cursor == cursor && play.screen.hasSuffix("No unseen jokes here"))
    }

    @Test("past the last loaded joke, ] loads more")
    func more() throws {
        var play = try play(jokes(0..<9), header: JokesHeader(shown: 200, lastSync: noon))
        play.type("]]]]]")
        #expect(!play.screen.contains("Wrapped"))
        play.happen(.changed(try snapshot(jokes: jokes(0..<59), header: JokesHeader(shown: 200, lastSync: noon))))
        #expect(play.model.cursor == row(13))
    }
}
