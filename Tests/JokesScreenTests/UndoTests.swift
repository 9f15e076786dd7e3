import JokesCore
import JokesScreen
import TestSupport
import Testing

@Suite struct UndoTests {
    private let zero = JokeID(rawValue: "t:0")
    private let one = JokeID(rawValue: "t:1")

    private func play() throws -> Play {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try picture(jokes: numbered(0..<4))))
        return play
    }

    @Test("u undoes stars and hidings, the last one first, and says what")
    func steps() throws {
        var play = try play()
        play.type("fjfH")
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.ask(.hide(one, isHidden: false))])
        #expect(play.screen.hasSuffix("Shown again: Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.ask(.star(one, isStarred: false))])
        #expect(play.screen.hasSuffix("Favorite removed: Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.ask(.star(zero, isStarred: false))])
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
        "a favorite whose star was taken comes back whole, by u and by another f, also when the picture is without it")
    func favorite() throws {
        for key in ["u", "f"] {
            var play = Play(columns: 60, rows: 10)
            play.happen(.changed(try picture(favorites: [.favorite(kept)], jokes: numbered(0..<4))))
            play.type("f" + key)
            #expect(play.takeEffects() == [.ask(.star(kept.id, isStarred: false)), .ask(.restore(kept, of: kept.id))])
        }
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try picture(favorites: [.favorite(kept)], jokes: numbered(0..<4))))
        play.type("f")
        play.happen(.starAnswered(kept.id, refusal: nil), .changed(try picture(jokes: numbered(0..<4))))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.ask(.restore(kept, of: kept.id))])
        #expect(play.screen.hasSuffix("Favorite restored: Kept in a box."))
        // What could not be undone can be tried again.
        play.happen(.starAnswered(kept.id, refusal: "no"))
        play.type("u")
        #expect(play.takeEffects() == [.ask(.restore(kept, of: kept.id))])
    }

    @Test("a star that was taken from another telling brings back the favorite of its text")
    func telling() throws {
        let other = joke("u:1", "KEPT, in a box!", isStarred: true)
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try picture(favorites: [.favorite(kept)], jokes: [other])))
        play.type("Gfu")
        let id = JokeID(rawValue: "u:1")
        #expect(play.takeEffects() == [.ask(.star(id, isStarred: false)), .ask(.restore(kept, of: id))])
    }

    @Test("of two stars of one joke, the one that was refused cannot be undone, and the other can")
    func refusedOfTwo() throws {
        var play = try play()
        play.type("ff")
        play.happen(.starAnswered(zero, refusal: "no"), .starAnswered(zero, refusal: nil))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.ask(.star(zero, isStarred: true))])
        play.type("u")
        #expect(play.takeEffects() == [])
    }

    @Test("what could not be undone is undone again before what was marked earlier, and after what was later")
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
                .ask(.hide(one, isHidden: false)), .ask(.star(one, isStarred: false)),
                .ask(.star(zero, isStarred: false)),
            ])
    }

    @Test("what was refused cannot be undone, and what could not be undone can be tried again")
    func refused() throws {
        var play = try play()
        play.type("fjf")
        play.happen(.starAnswered(zero, refusal: "no"), .starAnswered(one, refusal: nil))
        let starred = joke("t:1", "Joke number 1.", isStarred: true)
        play.happen(.changed(try picture(jokes: numbered(0..<1) + [starred] + numbered(2..<4))))
        _ = play.takeEffects()
        play.type("u")
        #expect(play.takeEffects() == [.ask(.star(one, isStarred: false))])
        play.happen(.starAnswered(one, refusal: "no"))
        #expect(play.screen.contains("★ Joke number 1."))
        play.type("u")
        #expect(play.takeEffects() == [.ask(.star(one, isStarred: false))])
        play.happen(.starAnswered(one, refusal: nil))
        play.type("u")
        #expect(play.takeEffects() == [])
    }

    @Test("with everything undone, a daemon that grants all has the marks that it had before")
    func law() throws {
        try checkLaw("undo", cases: 100, maxSize: 30) { random, size in
            (0..<size).map { _ in Array("fHjk")[random.int(in: 0..<4)] }
        } law: { keys in
            var (play, daemon) = (Play(columns: 60, rows: 10), AnsweringDaemon(jokes: 6))
            let before = (daemon.starred, daemon.hidden)
            if let picture = try daemon.nextPicture() { play.happen(picture) }
            for key in keys + Array(repeating: "u", count: keys.count + 1) {
                play.type(String(key))
                for effect in play.takeEffects() { daemon.perform(effect) }
                while let answer = daemon.nextAnswer() { play.happen(answer) }
                if let picture = try daemon.nextPicture() { play.happen(picture) }
            }
            try hold((daemon.starred, daemon.hidden) == before, "\(daemon) is left")
            try hold(play.model.stars.isEmpty && play.model.hides.isEmpty, "something is not settled")
        }
    }
}
