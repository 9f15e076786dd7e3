import JokesCore
import JokesProtocol
import Terminal
import TestSupport
import Testing

@testable import JokesScreen

@Suite struct UndoTests {
    private let zero = JokeID(rawValue: "t:0")

    private func play() throws -> Play {
        try Play(columns: 60, rows: 10, showing: snapshot(jokes: numbered(0..<4)))
    }

    @Test("u takes back the last change of any client, and says which")
    func takesBack() throws {
        var play = try play()
        play.type("u")
        #expect(play.takeEffects() == [.send(.undo)])
        play.answer(.undone(numbered(0..<4)[1]) { $0.removedFavorites = 1 })
        #expect(play.screen.hasSuffix("1 new favorite taken back: Joke number 1."))
        play.type("u")
        play.answer(.undone(.loading(0)) { ($0.removedFavorites, $0.unhidden) = (30, 2) })
        #expect(play.screen.hasSuffix("30 new favorites and 2 hidden jokes taken back"))
        play.type("u")
        play.answer(.refused("The disk is full."))
        #expect(play.screen.hasSuffix("The disk is full."))
        play.type("u")
        play.answer(.undone(UndoMethod.Reply()))
        #expect(play.model.notice?.text == "Nothing to undo; u takes back favorites, notes, hidden jokes and imports")
    }

    @Test("^R repeats what the last undo took back, once")
    func redo() throws {
        var play = try play()
        play.type("fu")
        play.answer()
        #expect(play.takeEffects().last == .send(.undo))
        play.answer(.undone(numbered(0..<4)[0]) { $0.removedFavorites = 1 })
        _ = play.takeEffects()
        play.press(.control("r"))
        #expect(play.takeEffects() == [.send(.favorite(zero, isFavorite: true))])
        play.answer()
        #expect(play.screen.hasSuffix("Favorite added; u undoes"))
        _ = play.takeEffects()
        play.press(.control("r"))
        #expect(play.takeEffects() == [] && play.screen.contains("Nothing to redo"))
        play.type("u")
        play.answer(.undone(numbered(0..<4)[1]) { $0.unhidden = 1 })
        _ = play.takeEffects()
        play.press(.control("r"))
        #expect(play.takeEffects() == [.send(.hide(JokeID(rawValue: "t:1"), isHidden: true))])
        play.answer()
        play.type("u")
        play.answer(.undone(.loading(0)) { $0.removedFavorites = 30 })
        _ = play.takeEffects()
        play.press(.control("r"))
        #expect(play.takeEffects() == [])
    }

    @Test("after everything is undone, the daemon has its original favorites, notes and hidden jokes")
    func property() throws {
        try checkProperty("undo", cases: 100, maxSize: 30) { random, size in
            (0..<size).map { _ in Array("fxejkU")[random.int(in: 0..<6)] }
        } property: { keys in
            var (play, daemon) = (Play(columns: 60, rows: 10), AnsweringDaemon(jokes: 6))
            let before = (daemon.favorites, daemon.notes, daemon.hidden)
            if let snapshot = try daemon.nextSnapshot() { play.happen(snapshot) }
            for key in keys + Array(repeating: "u", count: keys.count + 1) {
                play.type(String(key))
                if play.model.noteEdit != nil {
                    play.type("x")
                    play.press(.enter)
                }
                try daemon.settle(&play)
            }
            try verify(
                (daemon.favorites, daemon.notes, daemon.hidden) == before,
                "the state of \(daemon) is not the original one")
            try verify(play.model.isSettled, "a key still waits")
        }
    }
}
