import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct UnseenTests {
    /// Jokes of which every third is unseen: 1, 4, 7…
    private func jokes(_ numbers: Range<Int>) -> [Item] {
        numbers.map { joke("t:\($0)", "Joke number \($0).", isFavorite: $0 == 4, isSeen: $0 % 3 != 1) }
    }

    private func play(_ jokes: [Item], header: JokesHeader? = nil) throws -> Play {
        try Play(columns: 60, rows: 20, showing: snapshot(jokes: jokes, header: header))
    }

    @Test("a seen joke is dimmed, and an unseen one is not")
    func marked() throws {
        let play = try play(jokes(1..<9))
        let dimmed = view(play.model).lines.filter { line in
            line.spans.contains { $0.style.role == .muted && $0.text.contains("Joke number") }
        }
        #expect(dimmed.map { $0.plainText.filter(\.isNumber) } == ["2", "3", "5", "6", "8"])
    }

    @Test("a joke is seen after a second under the cursor: one with a punchline, when it is shown")
    func reading() throws {
        let jokes = [
            joke("t:1", "Whole.", isSeen: false), joke("t:2", "Why?", "So.", isSeen: false), joke("t:3", "Seen."),
        ]
        var play = try play(jokes)
        func seen(_ joke: Int) -> [Effect] { [.send(.markSeen(JokeID(rawValue: "t:\(joke)"), isSeen: true))] }
        #expect(play.isReading)
        play.happen(.readingEnded)
        #expect(play.takeEffects() == seen(1))
        // Neither does a key wait, nor is there a notice.
        play.happen(.answered(.markSeen(JokeID(rawValue: "t:1"), isSeen: true), .done))
        #expect(play.takeEffects() == [] && play.model.notice == nil)
        play.type("j")
        #expect(!play.isReading)
        play.type(" ")
        #expect(play.isReading)
        play.type("j")
        #expect(!play.isReading)
        play.type("k")
        play.happen(.readingEnded)
        #expect(play.takeEffects() == seen(2))
        // Neither behind a page nor without a daemon.
        play.type("?")
        #expect(!play.isReading)
        play.type("q")
        #expect(play.isReading)
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        #expect(!play.isReading)
    }

    @Test("m marks a joke as unseen or seen; an unseen one stays so until the cursor leaves it")
    func toggled() throws {
        var play = try play([joke("t:1", "Seen."), joke("t:2", "Unseen.", isSeen: false)])
        play.type("m")
        #expect(play.takeEffects() == [.send(.markSeen(JokeID(rawValue: "t:1"), isSeen: false))])
        play.answer(.done, try snapshot(jokes: [joke("t:1", "Seen.", isSeen: false), joke("t:2", "Unseen.")]))
        #expect(play.screen.hasSuffix("Marked as unseen; m undoes"))
        #expect(!play.isReading)
        _ = play.takeEffects()
        play.type("jk")
        #expect(play.isReading)
        play.type("m")
        #expect(play.takeEffects() == [.send(.markSeen(JokeID(rawValue: "t:1"), isSeen: true))])
    }

    @Test("N without a search, and A, mark all jokes as seen when they are pressed again")
    func all() throws {
        var play = try play(jokes(0..<9))
        play.type("N")
        #expect(
            play.takeEffects() == [] && play.screen.hasSuffix("Press A to mark all 9 jokes as seen; there is no undo"))
        play.type("jNjA")
        #expect(play.takeEffects() == [])
        play.type("A")
        #expect(play.takeEffects() == [.send(.markAllSeen(JokeSelection()))])
        play.answer(.count(3))
        #expect(play.screen.hasSuffix("3 jokes marked as seen"))
    }

    @Test("] and n go to the next unseen joke, [ to the previous one; they wrap with a notice")
    func next() throws {
        var play = try play(jokes(0..<9))
        for number in [1, 4, 7] {
            play.type("]")
            #expect(play.model.cursor == row(number) && !play.screen.contains("Wrapped"))
        }
        play.type("n")
        #expect(play.model.cursor == row(1) && play.screen.hasSuffix("Wrapped to the first unseen joke"))
        play.type("[")
        #expect(play.model.cursor == row(7) && play.screen.hasSuffix("Wrapped to the last unseen joke"))
        play.type("[[")
        #expect(play.model.cursor == row(1))
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
