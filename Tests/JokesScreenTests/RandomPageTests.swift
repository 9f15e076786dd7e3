import JokesCore
import Terminal
import Testing

@testable import JokesScreen

/// The page of random jokes.
@Suite struct RandomPageTests {
    private let first = served("t:1", "Why?", "Because.")
    private let second = served("t:2", "A joke without a punchline.")

    private func play() throws -> Play {
        var play = try Play(columns: 60, rows: 16, showing: snapshot())
        play.type("z")
        return play
    }

    @Test("space shows the punchline, and then the next joke; k goes back to earlier jokes")
    func space() throws {
        var play = try play()
        #expect(play.takeEffects() == [.send(.random(JokeSelection()))])
        play.happen(.answered(.random(JokeSelection()), .joke(first)))
        #expect(play.screen.contains("Why?") && !play.screen.contains("Because."))
        play.type(" ")
        #expect(play.screen.contains("Because.") && play.takeEffects() == [])
        play.type(" ")
        #expect(play.takeEffects() == [.send(.random(JokeSelection()))])
        play.type(" ")
        #expect(play.takeEffects() == [], "the next joke is requested once")
        play.happen(.answered(.random(JokeSelection()), .joke(second)))
        #expect(play.screen.contains("A joke without"))
        play.type("k")
        #expect(play.screen.contains("Why?") && !play.screen.contains("Because."))
        play.type("k")
        #expect(play.screen.contains("This is the first joke; q goes back"))
        play.type("j")
        #expect(play.screen.contains("A joke without") && play.takeEffects() == [])
        play.type(" ")
        #expect(play.takeEffects() == [.send(.random(JokeSelection()))])
    }

    @Test("f makes the shown joke a favorite, also one that the list does not have")
    func favorite() throws {
        var play = try play()
        play.happen(.answered(.random(JokeSelection()), .joke(first)))
        _ = play.takeEffects()
        play.type("f")
        #expect(play.takeEffects() == [.send(.favorite(first.id, isFavorite: true))])
        play.answer()
        #expect(play.screen.contains("★ Pun · t · en · safe · first seen 13:00"))
        play.type("f")
        #expect(play.takeEffects().last == .send(.favorite(first.id, isFavorite: false)))
        play.answer()
        #expect(!play.screen.contains("★ Pun · t · en · safe · first seen 13:00"))
    }

    @Test("H hides the shown joke and shows another one; y copies the shown joke")
    func hideAndCopy() throws {
        var play = try play()
        play.happen(.answered(.random(JokeSelection()), .joke(first)))
        _ = play.takeEffects()
        play.type("y")
        #expect(play.takeEffects() == [.copy("Why?\nBecause.")])
        play.type("x")
        #expect(play.takeEffects() == [.send(.hide(first.id, isHidden: true)), .send(.random(JokeSelection()))])
    }

    @Test("without a connection, H does nothing; after a new opening, z shows a new joke of the current filter")
    func offline() throws {
        var play = try play()
        play.happen(
            .answered(.random(JokeSelection()), .joke(first)), .answered(.random(JokeSelection()), .joke(second)))
        play.type("kqz")
        #expect(play.takeEffects().suffix(1) == [.send(.random(JokeSelection()))])
        play.happen(.answered(.random(JokeSelection()), .joke(second)), .unreachable(reason: "gone", retryAt: noon))
        play.type("x")
        #expect(play.takeEffects() == [] && play.screen.contains("A joke without"))
    }

    @Test("after the daemon comes back, a page that could not get a joke requests one again, and a shown joke stays")
    func recovered() throws {
        var play = try play()
        _ = play.takeEffects()
        play.happen(.answered(.random(JokeSelection()), .refused("gone")), .unreachable(reason: "gone", retryAt: noon))
        #expect(play.takeEffects() == [])
        play.happen(.connecting, .changed(try snapshot()))
        #expect(play.takeEffects() == [.send(.random(JokeSelection()))])
        play.happen(
            .answered(.random(JokeSelection()), .joke(first)), .unreachable(reason: "gone", retryAt: noon),
            .changed(try snapshot()))
        #expect(play.takeEffects() == [] && play.screen.contains("Why?"))
        play.type("j")
        play.happen(.answered(.random(JokeSelection()), .refused("gone")))
        play.type("q")
        _ = play.takeEffects()
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [], "the page is closed")
    }

    @Test("if no joke matches the filters, the page names them as the list does")
    func filtered() throws {
        var play = try play()
        play.openFilters()
        play.type("j z")
        play.happen(
            .changed(try snapshot(jokes: [])),
            .answered(.random(JokeSelection(unseen: true)), .refused("No joke to show: no cached joke matches.")))
        let words = play.screen.split { " \n│".contains($0) }.joined(separator: " ")
        #expect(words.contains("No jokes match the filter: unseen. c clears the filter, and F changes it."))
    }

    @Test("the note of a favorite is below the joke")
    func note() throws {
        var play = Play(columns: 80, rows: 12)
        play.happen(.changed(try snapshot(favorites: [JokesScreenTests.favorite("t:1", "Kept.", note: "for Ann")])))
        play.type("z")
        play.happen(.answered(.random(JokeSelection()), .joke(served("t:1", "Kept."))))
        #expect(play.screen.contains("Kept.") && play.screen.contains(" for Ann\n"))
    }

    @Test("a refusal is shown in place of the joke, and space tries again")
    func refused() throws {
        var play = try play()
        _ = play.takeEffects()
        play.happen(.answered(.random(JokeSelection()), .refused("No jokes in the cache.")))
        #expect(play.screen.contains("No jokes in the cache."))
        play.type(" ")
        #expect(play.takeEffects() == [.send(.random(JokeSelection()))])
        play.press(.escape)
        #expect(play.model.page == nil)
    }
}

private func served(_ id: String, _ setup: String, _ punchline: String? = nil) -> Joke {
    guard case .joke(let joke) = joke(id, setup, punchline) else { preconditionFailure("joke() makes a joke") }
    return joke
}
