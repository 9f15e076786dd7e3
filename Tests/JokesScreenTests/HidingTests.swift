import JokesCore
import JokesProtocol
import Terminal
import Testing

@testable import JokesScreen

@Suite struct HidingTests {
    private func play(favorites: [Item] = []) throws -> Play {
        try Play(columns: 60, rows: 10, showing: snapshot(favorites: favorites, jokes: numbered(0..<4)))
    }

    private let first = JokeID(rawValue: "t:0")

    @Test("when the daemon has hidden a joke, it disappears, and the cursor moves to the next one")
    func stored() throws {
        var play = try play()
        play.type("x")
        #expect(play.takeEffects() == [.send(.hide(first, isHidden: true))])
        #expect(play.screen.contains("number 0."))
        play.answer(.done, try snapshot(jokes: numbered(1..<4)))
        #expect(!play.screen.contains("number 0."))
        #expect(play.screen.contains("Jokes 1/3 "))
        #expect(play.model.cursor == row(1))
        #expect(play.screen.hasSuffix("Hidden; u undoes"))
    }

    @Test("u shows a hidden joke again, and the cursor moves to it when it reappears")
    func undone() throws {
        var play = try play()
        play.type("x")
        play.type("u")
        play.answer(.done, try snapshot(jokes: numbered(1..<4)))
        #expect(play.takeEffects().last == .send(.undo) && play.model.cursor == row(1))
        play.answer(.undone(numbered(0..<4)[0]) { $0.unhidden = 1 }, try snapshot(jokes: numbered(0..<4)))
        #expect(play.screen.hasSuffix("1 hidden joke taken back") && play.model.cursor == row(0))
    }

    @Test("if an undo fails, the cursor does not move when the joke reappears later")
    func notUndone() throws {
        var play = try play()
        play.type("x")
        play.answer(.done, try snapshot(jokes: numbered(1..<4)))
        play.type("u")
        play.answer(.refused("no"))
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        #expect(play.model.cursor == row(1))
    }

    @Test("a hidden favorite stays in the favorites, and the notice says so")
    func favorites() throws {
        let kept = [favorite("t:0", "Kept.")]
        var play = try play(favorites: kept)
        play.type("x")
        play.answer(.done, try snapshot(favorites: kept, jokes: numbered(1..<4)))
        #expect(play.screen.contains("★ Kept.") && !play.screen.contains("number 0."))
        #expect(play.screen.contains("Hidden, but still a favorite"))
    }
}
