import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct ChangeTests {
    @Test("at the top, new rows above become visible, and the cursor stays on its joke")
    func top() throws {
        var play = try Play(columns: 40, rows: 21, showing: snapshot(jokes: numbered(0..<30)))
        play.type("j")
        play.happen(.changed(try snapshot(loading: 10, jokes: numbered(0..<30))))
        #expect(play.list.hasPrefix("  Loading"))
        #expect(play.screen.split(separator: "\n").filter { $0.contains("Loading") }.count == 1)
        #expect(play.model.cursor == row(1))
        #expect(play.cursorLine == 2)
        play.happen(.changed(try snapshot(favorites: [favorite("t:1", "Kept.")], jokes: numbered(0..<30))))
        #expect(play.list.hasPrefix("▾ Favorites"))
        #expect(play.list.contains("★ Kept.\n▾ Jokes"))
        #expect(play.model.cursor == row(1))
    }

    @Test("when its row disappears, the cursor moves to the next row of the section, the previous one or the first")
    func removed() throws {
        var play = try Play(columns: 40, rows: 10, showing: snapshot(jokes: numbered(0..<9)))
        play.type("jjj")
        play.happen(.changed(try snapshot(jokes: numbered(0..<2) + numbered(5..<9))))
        #expect(play.model.cursor == row(5))
        play.type("G")
        play.happen(.changed(try snapshot(jokes: numbered(0..<2))))
        #expect(play.model.cursor == row(1))
        play.happen(.changed(try snapshot(jokes: numbered(20..<22))))
        #expect(play.model.cursor == row(20))
    }

    @Test("the notice that a search is running disappears with its result")
    func searched() throws {
        var play = try Play(columns: 60, rows: 10, showing: snapshot())
        play.search("du")
        play.type("n")
        #expect(play.screen.hasSuffix("Still searching\u{2026}"))
        play.happen(.changed(try found("du", ["duck"])))
        #expect(!play.screen.contains("Still searching"))
    }

    @Test("without favorites, their section disappears, and the cursor moves to the top")
    func lastFavorite() throws {
        var play = Play(columns: 40, rows: 10)
        play.happen(.changed(try snapshot(favorites: [favorite("t:1", "Kept.")], jokes: numbered(0..<6))))
        play.type("gj")
        play.happen(.changed(try snapshot(jokes: numbered(0..<6))))
        #expect(play.model.cursor == row(0))
    }

    @Test("a revealed punchline stays visible until its joke disappears")
    func revealed() throws {
        let received = joke("t:told", "Setup?", "Punch.")
        var play = try Play(columns: 40, rows: 10, showing: snapshot(jokes: [received]))
        play.type(" ")
        play.happen(.changed(try snapshot(jokes: numbered(0..<3) + [received])))
        #expect(play.screen.contains("Punch."))
        play.happen(.changed(try snapshot(jokes: numbered(0..<3))), .changed(try snapshot(jokes: [received])))
        #expect(!play.screen.contains("Punch."))
    }

    @Test("a smaller screen still shows the cursor, and a larger one has no gap below the last row")
    func resized() throws {
        var play = try Play(columns: 40, rows: 10, showing: snapshot(jokes: numbered(0..<12)))
        play.type("G")
        play.happen(.resized(Size(columns: 30, rows: 4)))
        #expect(play.model.cursor == row(11))
        #expect(play.cursorLine == 2)
        play.happen(.resized(Size(columns: 30, rows: 15)))
        #expect(play.list.hasPrefix("  Joke number 0."))
    }

    @Test("an unreachable daemon is reported in place of an earlier notice")
    func awayBehindNotice() throws {
        var play = Play(columns: 80, rows: 10)
        play.happen(.changed(try snapshot(jokes: numbered(0..<12))), .answered(.refresh(), .refreshed([])))
        #expect(play.screen.contains("No source can be refreshed;"))
        play.happen(.unreachable(reason: "connection refused", retryAt: noon.advanced(by: .seconds(8))))
        #expect(play.screen.contains("daemon unreachable") && !play.screen.contains("No source"))
        play.happen(.answered(.refresh(), .refused("The daemon closed the connection.")))
        #expect(play.screen.hasSuffix(" The daemon closed the connection."))
        play.happen(.changed(try snapshot(jokes: numbered(0..<12))))
        #expect(!play.screen.contains("closed the connection"))
    }

    @Test("if the daemon is unreachable, the list stays; after a reconnect, the screen is as before")
    func away() throws {
        var play = try Play(columns: 60, rows: 10, showing: snapshot(jokes: numbered(0..<12)))
        let before = play.screen
        play.happen(.unreachable(reason: "connection refused", retryAt: noon.advanced(by: .seconds(8))))
        #expect(play.screen.contains("daemon unreachable · next try 13:00:08"))
        #expect(play.screen.contains("Joke number 3."))
        play.type("r")
        #expect(play.takeEffects() == [.send(.reconnect)])
        play.happen(.connecting)
        #expect(play.screen.contains("connecting…"))
        play.happen(.changed(try snapshot(jokes: numbered(0..<12))))
        #expect(play.screen == before)
    }

    @Test("a refresh while connecting shows a notice until the attempt ends")
    func askedWhileConnecting() throws {
        var play = Play(columns: 80, rows: 10)
        play.happen(.connecting)
        play.type("r")
        #expect(play.takeEffects() == [])
        #expect(play.screen.hasSuffix(" Already connecting; the viewer retries until the daemon answers"))
        play.happen(.unreachable(reason: "silence", retryAt: noon.advanced(by: .seconds(8))))
        #expect(play.screen.contains("daemon unreachable") && !play.screen.contains("Already connecting"))
        play.happen(.connecting)
        play.type("R")
        #expect(play.screen.contains("Already connecting"))
        play.happen(.changed(try snapshot()))
        #expect(!play.screen.contains("Already connecting"))
    }

    private static let changes = [
        ("f", "Favorite unchanged: not connected"), ("x", "Not hidden: not connected"),
        ("m", "Not marked: not connected"), ("u", "Not undone: not connected"),
    ]

    private func play() throws -> Play {
        try Play(columns: 60, rows: 10, showing: snapshot(jokes: numbered(0..<4)))
    }

    @Test("a refused change changes nothing, and the reason is shown until the next key", arguments: changes)
    func refused(key: String, _: String) throws {
        var play = try play()
        let before = play.screen
        play.type(key)
        #expect(play.screen == before && play.takeEffects().count == 1)
        play.answer(.refused("The cache cannot be written."))
        #expect(play.screen.hasSuffix(" The cache cannot be written.") && play.model.waiting == nil)
        play.press(.control("l"))
        #expect(play.screen == before)
    }

    @Test("without a connection, nothing changes, and the reason is shown", arguments: changes)
    func away(key: String, words: String) throws {
        var play = try play()
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        let list = play.list
        play.type(key)
        #expect(play.takeEffects() == [] && play.list == list && play.screen.hasSuffix(" \(words)"))
    }
}
