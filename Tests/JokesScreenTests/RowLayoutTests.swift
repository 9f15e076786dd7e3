import JokesCore
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct RowLayoutTests {
    /// More favorites than a screen has lines, each of three lines.
    private let favorites = (0..<60).map { number in
        favorite("t:\(number)", "Joke number \(number), which is wider than half a screen, and so has a third line.")
    }

    private func play() throws -> Play {
        var play = Play(columns: 60, rows: 24)
        play.happen(.changed(try snapshot(favorites: favorites)))
        play.type("g")
        play.press(.tab)
        play.type("j")
        _ = play.screen
        return play
    }

    /// The number of row layouts for the action and the screen after it.
    private func layouts(_ play: inout Play, _ action: (inout Play) throws -> Void) rethrows -> Int {
        let before = play.model.rowsLaidOut
        try action(&play)
        _ = play.screen
        return play.model.rowsLaidOut - before
    }

    @Test("a key lays out only rows that become visible")
    func keys() throws {
        var play = try play()
        #expect(layouts(&play) { $0.type("jkjkjkjk") } == 0)
        // The screen has eight rows. Each step beyond the last one shows one more row.
        let steps = layouts(&play) { $0.type("jjjjjjjjjjjj") }
        #expect((2...6).contains(steps))
        #expect(layouts(&play) { $0.press(.control("d")) } <= 7)
        #expect(layouts(&play) { $0.press(.control("u")) } == 0)
        // Revealed, and then as before, because the joke has no punchline.
        #expect(layouts(&play) { $0.type(" ") } == 2)
        #expect(layouts(&play) { $0.type("f") } == 1)
    }

    @Test("a new snapshot lays out only changed rows")
    func snapshots() throws {
        var play = try play()
        var changed = favorites
        changed[2] = favorite("t:2", "Other words.")
        #expect(try layouts(&play) { $0.happen(.changed(try snapshot(favorites: changed))) } <= 2)
    }

    @Test("a new width lays out the visible rows once")
    func widths() throws {
        var play = try play()
        let count = layouts(&play) { $0.happen(.resized(Size(columns: 40, rows: 24))) }
        #expect((5...8).contains(count))
        #expect(layouts(&play) { $0.happen(.resized(Size(columns: 40, rows: 24))) } == 0)
    }

    @Test("the cache of layouts does not change the screen")
    func equal() throws {
        var (used, fresh) = (try play(), try play())
        for key in "jjjj fGgj uG" {
            used.type(String(key))
            _ = used.screen
            fresh.type(String(key))
        }
        #expect(used.model == fresh.model && used.screen == fresh.screen)
    }
}
