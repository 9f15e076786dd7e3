import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct StarTests {
    private let id = JokeID(rawValue: "official:1")
    private let favoriteJoke = joke("official:1", "Why did the thread cross the road?", isFavorite: true)
    private let plain = joke("official:1", "Why did the thread cross the road?")

    private func play(_ item: Item) throws -> Play {
        try Play(columns: 40, rows: 6, showing: snapshot(jokes: [item]))
    }

    @Test("text that is pasted after a change waits for the prompt that a waiting key opens")
    func pasted() throws {
        var play = try Play(columns: 60, rows: 12, showing: snapshot())
        play.type("f/")
        play.happen(.pasted("duck"))
        #expect(!play.screen.contains("duck") && play.model.search == nil)
        play.answer(.refused("The cache cannot be written."))
        #expect(play.screen.contains("\n/duck"))
    }

    @Test("a refusal of several lines leaves the row of the cursor and the hint visible")
    func refusedAtTheEnd() throws {
        for (columns, rows) in [(80, 24), (40, 12), (20, 5), (120, 30), (30, 8)] {
            var play = Play(columns: columns, rows: rows)
            play.happen(.changed(try snapshot(jokes: (0..<40).map { joke("t:\($0)", "Joke \($0)") })))
            play.type("Gf")
            let reason = "The disk of /home/ann/.local/state/jokesd, where all jokes are, is full to the last byte."
            play.answer(.refused(reason + "\nMake room there."))
            #expect(play.cursorLine != nil && play.screen.contains("Joke 39"))
            #expect(play.screen.contains("Make room there.") && play.screen.contains("The disk of"))
            play.press(.control("l"))
            #expect(play.cursorLine != nil && !play.screen.contains("Make room"))
        }
    }

    @Test("a favorite is shown after the daemon has stored it, with the key that undoes it")
    func stored() throws {
        var play = try play(plain)
        let before = play.screen
        play.type("f")
        #expect(play.screen == before && play.takeEffects() == [.send(.favorite(id, isFavorite: true))])
        play.answer(.done, try snapshot(jokes: [favoriteJoke]))
        #expect(play.screen.contains("★ Why") && play.screen.hasSuffix(" Favorite added; u undoes"))
        #expect(play.takeEffects() == [.send(.watch(View()))])
        play.type("f")
        play.answer(.done, try snapshot(jokes: [plain]))
        #expect(!play.screen.contains("★") && play.screen.hasSuffix(" Favorite removed; u undoes"))
    }

    @Test("keys after a change wait for its result, in their order, also those of a prompt")
    func inOrder() throws {
        var play = try play(plain)
        play.type("ff/q")
        #expect(play.takeEffects() == [.send(.favorite(id, isFavorite: true))])
        play.answer(.done, try snapshot(jokes: [favoriteJoke]))
        #expect(play.takeEffects() == [.send(.watch(View())), .send(.favorite(id, isFavorite: false))])
        #expect(play.screen.contains("★ Why") && play.model.search == nil)
        play.answer(.done, try snapshot(jokes: [plain]))
        #expect(!play.screen.contains("★") && play.model.search?.query == "q")
        #expect(play.takeEffects() == [.send(.watch(View())), .send(.watch(View(query: "q")))])
    }

    @Test("Escape drops the keys after a change, but not their wait; ^C quits at once")
    func dropped() throws {
        var play = try play(plain)
        play.type("ff")
        play.press(.escape)
        play.type("f")
        #expect(play.takeEffects() == [.send(.favorite(id, isFavorite: true))])
        play.answer(.done, try snapshot(jokes: [favoriteJoke]))
        #expect(play.takeEffects().last == .send(.favorite(id, isFavorite: false)))
        play.press(.control("c"))
        #expect(play.takeEffects() == [.quit])
    }

    @Test("a snapshot before the answer ends no wait; it is requested again, also after a refusal")
    func underway() throws {
        for answer in [Answer.done, .refused("no")] {
            var play = try play(plain)
            play.type("fj")
            let other = try snapshot(jokes: numbered(0..<3))
            play.happen(.changed(other))
            #expect(play.screen.contains("Why") && play.model.waiting?.steps.count == 1)
            play.happen(.answered(.favorite(id, isFavorite: true), answer))
            #expect(play.takeEffects().last == .send(.watch(View())))
            play.happen(.changed(other))
            #expect(play.screen.contains("number 2.") && play.model.isSettled)
        }
    }

    @Test("if the daemon becomes unreachable during a change, the keys after it are dropped")
    func lost() throws {
        var play = try play(plain)
        play.type("fx")
        play.happen(
            .unreachable(reason: "gone", retryAt: noon), .answered(.favorite(id, isFavorite: true), .refused("gone")))
        #expect(play.model.waiting == nil && play.screen.hasSuffix(" gone"))
        play.happen(.connecting, .changed(try snapshot(jokes: [plain])))
        #expect(play.takeEffects() == [.send(.favorite(id, isFavorite: true))])
    }

    @Test("a favorite has a star in both sections")
    func favorites() throws {
        var play = Play(columns: 40, rows: 8)
        play.happen(.changed(try snapshot(favorites: [favorite("official:1", "Why?")], jokes: [favoriteJoke])))
        #expect(play.screen.split(separator: "\n").filter { $0.hasPrefix("★") }.count == 2)
        play.type("f")
        #expect(play.takeEffects() == [.send(.favorite(id, isFavorite: false))])
    }

    @Test("a header and a loading row cannot be favorites")
    func nothing() throws {
        var play = try Play(columns: 40, rows: 8, showing: snapshot(loading: 1, jokes: [plain]))
        play.type("gkf")
        play.press(.tab)
        play.type("f")
        #expect(play.takeEffects() == [])
    }
}
