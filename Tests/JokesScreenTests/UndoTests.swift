import JokesCore
import JokesScreen
import Terminal
import TestSupport
import Testing

@Suite struct UndoTests {
    private let zero = JokeID(rawValue: "t:0")
    private let one = JokeID(rawValue: "t:1")

    private func play() throws -> Play {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        return play
    }

    @Test("u undoes favorites and hidden jokes, the last first, and says which")
    func steps() throws {
        var play = try play()
        play.type("fjfH")
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.send(.hide(one, isHidden: false))])
        #expect(play.screen.hasSuffix("Shown again: Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.send(.star(one, isFavorite: false))])
        #expect(play.screen.hasSuffix("Favorite removed: Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.send(.star(zero, isFavorite: false))])
        #expect(!play.screen.contains("★"))
        play.type("u")
        #expect(play.takeEffects() == [])
        #expect(play.screen.hasSuffix("Nothing to undo"))
    }

    private let kept = Favorite(
        id: JokeID(rawValue: "t:7"),
        content: JokeContent(text: .single("Kept in a box."), language: "en", safety: .safe),
        favoritedAt: noon, note: "for Ann")

    @Test(
        "u and f restore a removed favorite with its text and note, even if no snapshot has it")
    func favorite() throws {
        for key in ["u", "f"] {
            var play = Play(columns: 60, rows: 10)
            play.happen(.changed(try snapshot(favorites: [.favorite(kept)], jokes: numbered(0..<4))))
            play.type("f" + key)
            #expect(
                play.takeEffects() == [.send(.star(kept.id, isFavorite: false)), .send(.restore(kept, of: kept.id))])
        }
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(favorites: [.favorite(kept)], jokes: numbered(0..<4))))
        play.type("f")
        play.happen(.starAnswered(kept.id, refusal: nil), .changed(try snapshot(jokes: numbered(0..<4))))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.send(.restore(kept, of: kept.id))])
        #expect(play.screen.hasSuffix("Favorite restored: Kept in a box."))
        // A failed undo can be tried again.
        play.happen(.starAnswered(kept.id, refusal: "no"))
        play.type("u")
        #expect(play.takeEffects() == [.send(.restore(kept, of: kept.id))])
    }

    @Test("undo at a duplicate restores the removed favorite")
    func withJokes() throws {
        let other = joke("u:1", "KEPT, in a box!", isFavorite: true)
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(favorites: [.favorite(kept)], jokes: [other])))
        play.type("Gfu")
        let id = JokeID(rawValue: "u:1")
        #expect(play.takeEffects() == [.send(.star(id, isFavorite: false)), .send(.restore(kept, of: id))])
    }

    @Test("of two changes to one favorite, only the accepted one can be undone")
    func refusedOfTwo() throws {
        var play = try play()
        play.type("ff")
        play.happen(.starAnswered(zero, refusal: "no"), .starAnswered(zero, refusal: nil))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.send(.star(zero, isFavorite: true))])
        play.type("u")
        #expect(play.takeEffects() == [])
    }

    @Test("a refused undo returns to its place among the undo steps")
    func refusedUndo() throws {
        var play = try play()
        play.type("fjfuH")
        play.happen(
            .starAnswered(zero, refusal: nil), .starAnswered(one, refusal: nil), .starAnswered(one, refusal: "no"),
            .hideAnswered(one, refusal: nil))
        _ = play.takeEffects()
        play.type("uuu")
        #expect(
            play.takeEffects() == [
                .send(.hide(one, isHidden: false)), .send(.star(one, isFavorite: false)),
                .send(.star(zero, isFavorite: false)),
            ])
    }

    @Test("a refused change cannot be undone, and a refused undo can be tried again")
    func refused() throws {
        var play = try play()
        play.type("fjf")
        play.happen(.starAnswered(zero, refusal: "no"), .starAnswered(one, refusal: nil))
        let favoriteJoke = joke("t:1", "Joke number 1.", isFavorite: true)
        play.happen(.changed(try snapshot(jokes: numbered(0..<1) + [favoriteJoke] + numbered(2..<4))))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.send(.star(one, isFavorite: false))])
        play.happen(.starAnswered(one, refusal: "no"))
        #expect(play.screen.contains("★ Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.send(.star(one, isFavorite: false))])
        play.happen(.starAnswered(one, refusal: nil))
        play.type("u")
        #expect(play.takeEffects() == [])
    }

    @Test("after everything is undone, the daemon has its original favorites, notes and hidden jokes")
    func property() throws {
        try checkProperty("undo", cases: 100, maxSize: 30) { random, size in
            (0..<size).map { _ in Array("fHejkU")[random.int(in: 0..<6)] }
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
                for effect in play.takeEffects() { daemon.perform(effect) }
                while let answer = daemon.nextAnswer() { play.happen(answer) }
                if let snapshot = try daemon.nextSnapshot() { play.happen(snapshot) }
            }
            try verify(
                (daemon.favorites, daemon.notes, daemon.hidden) == before,
                "the state of \(daemon) is not the original one")
            try verify(play.model.stars.isEmpty && play.model.hides.isEmpty, "a mark is still pending")
        }
    }
}
