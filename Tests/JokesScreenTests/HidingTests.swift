import JokesCore
import JokesProtocol
import JokesScreen
import Testing

@Suite struct HidingTests {
    private func play(favorites: [Item] = []) throws -> Play {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(favorites: favorites, jokes: numbered(0..<4))))
        return play
    }

    private let first = JokeID(rawValue: "t:0")

    @Test("a hidden joke disappears at once and is not counted, and the cursor moves to the next one")
    func atOnce() throws {
        var play = try play()
        play.type("x")
        #expect(play.takeEffects() == [.send(.hide(first, isHidden: true))])
        #expect(!play.screen.contains("number 0."))
        #expect(play.screen.contains("Jokes 1/3 "))
        #expect(play.model.cursor == row(1))
        #expect(play.screen.hasSuffix("Hidden; u undoes"))
    }

    @Test("if hiding is refused, the joke reappears, and the reason is shown")
    func refused() throws {
        var play = try play()
        let before = play.screen
        play.type("x")
        play.happen(.hideAnswered(first, refusal: "The cache cannot be written."))
        #expect(play.screen.contains("number 0.") && play.screen.contains("Jokes 2/4 "))
        #expect(play.screen.hasSuffix("The cache cannot be written."))
        play.type("k")
        #expect(play.screen == before)
    }

    @Test("a hidden joke does not reappear, whether the answer or the snapshot comes first")
    func granted() throws {
        for answerFirst in [true, false] {
            var play = try play()
            play.type("x")
            if answerFirst { play.happen(.hideAnswered(first, refusal: nil)) }
            #expect(!play.screen.contains("number 0."))
            // An older snapshot that still has the joke, before or after the answer.
            play.happen(.changed(try snapshot(loading: 1, jokes: numbered(0..<4))))
            #expect(!play.screen.contains("number 0."))
            play.happen(.changed(try snapshot(jokes: numbered(1..<4))))
            if !answerFirst { play.happen(.hideAnswered(first, refusal: nil)) }
            #expect(!play.screen.contains("number 0."))
            #expect(play.screen.contains("Jokes 1/3 "))
            #expect(play.model.hides.isEmpty)
        }
    }

    @Test("u shows a hidden joke again, and the cursor moves to it when it reappears")
    func undone() throws {
        var play = try play()
        play.type("x")
        play.happen(.hideAnswered(first, refusal: nil), .changed(try snapshot(jokes: numbered(1..<4))))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.send(.undo)])
        play.happen(.undone(numbered(0..<4)[0]) { $0.unhidden = 1 })
        #expect(play.screen.hasSuffix("1 hidden joke taken back"))
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        #expect(play.model.cursor == row(0))
    }

    @Test("if an undo fails, the cursor does not move when the joke reappears later")
    func notUndone() throws {
        var play = try play()
        play.type("x")
        play.happen(.hideAnswered(first, refusal: nil), .changed(try snapshot(jokes: numbered(1..<4))))
        play.type("u")
        play.happen(.answered(.undo, .refused("no")), .changed(try snapshot(jokes: numbered(0..<4))))
        #expect(play.model.cursor == row(1))
    }

    @Test("u before the answer shows the row again as soon as the daemon has taken the mark back")
    func undoneAtOnce() throws {
        var play = try play()
        play.type("xu")
        play.happen(.hideAnswered(first, refusal: nil))
        #expect(!play.screen.contains("number 0."))
        play.happen(.undone(numbered(0..<4)[0]) { $0.unhidden = 1 })
        #expect(play.screen.contains("number 0.") && play.model.cursor == row(0) && play.model.hides.isEmpty)
    }

    @Test("a hidden favorite stays in the favorites, and the notice says so")
    func favorites() throws {
        var play = try play(favorites: [favorite("t:0", "Kept.")])
        play.type("x")
        #expect(play.screen.contains("★ Kept.") && !play.screen.contains("number 0."))
        #expect(play.screen.contains("Hidden, but still a favorite"))
    }

    @Test("without a connection, nothing is hidden or undone, and the reason is shown")
    func away() throws {
        var play = try play()
        play.type("f")
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        _ = play.takeEffects()
        play.type("x")
        #expect(play.screen.contains("number 0.") && play.screen.contains("Not hidden: not connected"))
        play.type("u")
        #expect(play.takeEffects() == [] && play.screen.contains("Not undone: not connected"))
    }
}
