import JokesCore
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct StarTests {
    private let id = JokeID(rawValue: "official:1")
    private let favoriteJoke = joke("official:1", "Why did the thread cross the road?", isFavorite: true)
    private let plain = joke("official:1", "Why did the thread cross the road?")

    private func play(_ item: Item) throws -> Play {
        var play = Play(columns: 40, rows: 6)
        play.happen(.changed(try snapshot(jokes: [item])))
        return play
    }

    @Test("a refusal of several lines leaves the row of the cursor and the hint visible")
    func refusedAtTheEnd() throws {
        for (columns, rows) in [(80, 24), (40, 12), (20, 5), (120, 30), (30, 8)] {
            var play = Play(columns: columns, rows: rows)
            play.happen(.changed(try snapshot(jokes: (0..<40).map { joke("t:\($0)", "Joke \($0)") })))
            play.type("Gf")
            let reason = "The disk of /home/ann/.local/state/jokesd, where all jokes are, is full to the last byte."
            play.happen(.starAnswered(JokeID(rawValue: "t:39"), refusal: reason + "\nMake room there."))
            #expect(play.cursorLine != nil && play.screen.contains("Joke 39"))
            #expect(play.screen.contains("Make room there.") && play.screen.contains("The disk of"))
            play.press(.control("l"))
            #expect(play.cursorLine != nil && !play.screen.contains("Make room"))
        }
    }

    @Test("a favorite is shown at once and requested from the daemon")
    func atOnce() throws {
        var play = try play(plain)
        play.type("f")
        #expect(play.screen.contains("★ Why"))
        #expect(play.takeEffects() == [.send(.star(id, isFavorite: true))])
        play.type("f")
        #expect(!play.screen.contains("★"))
        #expect(play.takeEffects() == [.send(.star(id, isFavorite: false))])
    }

    @Test("a refused favorite disappears, and the reason is shown until the next key")
    func refused() throws {
        var play = try play(plain)
        play.type("f")
        play.happen(.starAnswered(id, refusal: "The cache cannot be written."))
        #expect(!play.screen.contains("★"))
        #expect(play.screen.contains("The cache cannot be written."))
        play.type("j")
        #expect(!play.screen.contains("cannot"))
    }

    @Test("a favorite does not flicker if the answer comes before the snapshot")
    func granted() throws {
        var play = try play(plain)
        play.type("f")
        play.happen(.starAnswered(id, refusal: nil))
        #expect(play.screen.contains("★ Why"))
        play.happen(.changed(try snapshot(jokes: [favoriteJoke])))
        #expect(play.screen.contains("★ Why"))
    }

    @Test("a snapshot before the answer does not change a new favorite")
    func underway() throws {
        var play = try play(plain)
        play.type("f")
        play.happen(.changed(try snapshot(loading: 1, jokes: [plain])))
        #expect(play.screen.contains("★ Why"))
    }

    @Test("an older snapshot after the answer does not remove a favorite; another client's change does")
    func others() throws {
        var play = try play(plain)
        play.type("f")
        #expect(play.timers.isEmpty)
        play.happen(.starAnswered(id, refusal: nil), .changed(try snapshot(loading: 1, jokes: [plain])))
        #expect(play.screen.contains("★ Why") && play.timers.contains(.marks))
        play.happen(.changed(try snapshot(jokes: [favoriteJoke])))
        #expect(play.model.stars.isEmpty)
        play.happen(.changed(try snapshot(jokes: [plain])), .timerEnded(.marks))
        #expect(!play.screen.contains("★"))
        play.type("f")
        play.happen(.starAnswered(id, refusal: nil), .changed(try snapshot(jokes: [plain])), .timerEnded(.marks))
        #expect(!play.screen.contains("★") && play.model.stars.isEmpty && !play.timers.contains(.marks))
    }

    @Test("after the first of two answers, the last change still applies")
    func twice() throws {
        var play = try play(plain)
        play.type("ff")
        play.happen(.starAnswered(id, refusal: nil))
        play.happen(.changed(try snapshot(jokes: [favoriteJoke])))
        #expect(!play.screen.contains("★"))
        play.happen(.starAnswered(id, refusal: nil), .changed(try snapshot(jokes: [plain])))
        #expect(!play.screen.contains("★"))
        #expect(play.model.stars.isEmpty)
    }

    @Test("removing a favorite also changes the row of its joke")
    func favorites() throws {
        var play = Play(columns: 40, rows: 8)
        play.happen(.changed(try snapshot(favorites: [favorite("official:1", "Why?")], jokes: [favoriteJoke])))
        #expect(play.screen.split(separator: "\n").filter { $0.hasPrefix("★") }.count == 2)
        play.type("f")
        #expect(!play.screen.contains("★"))
        #expect(play.takeEffects() == [.send(.star(id, isFavorite: false))])
    }

    @Test("without a connection, no favorite changes, and the reason is shown")
    func away() throws {
        var play = try play(plain)
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("f")
        #expect(play.takeEffects() == [])
        #expect(!play.screen.contains("★"))
        #expect(play.screen.contains("Favorite unchanged: not connected"))
    }

    @Test("a header and a loading row cannot be favorites")
    func nothing() throws {
        var play = Play(columns: 40, rows: 8)
        play.happen(.changed(try snapshot(loading: 1, jokes: [plain])))
        play.type("gkf")
        play.press(.tab)
        play.type("f")
        #expect(play.takeEffects() == [])
    }
}
