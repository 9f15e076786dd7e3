import Diffable
import JokesCore
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct PagingTests {
    private func page(_ numbers: Range<Int>, of cached: Int) throws -> JokeSnapshot {
        let header = JokesHeader(shown: cached, lastSync: noon, start: numbers.lowerBound)
        return try snapshot(jokes: numbered(numbers), header: header)
    }

    /// A viewer with the first 300 of 5000 jokes.
    private func play(_ numbers: Range<Int> = 0..<300, of cached: Int = 5000, rows: Int = 11) throws -> Play {
        try Play(columns: 60, rows: rows, showing: page(numbers, of: cached))
    }

    @Test("without a daemon, the end of the loaded jokes says how many are not loaded")
    func sign() throws {
        var play = try play(0..<5, of: 180)
        #expect(play.takeEffects() == [.send(.watch(View(size: 300)))])
        play = try self.play()
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("G")
        #expect(play.model.cursor == row(299))
        play.type("j")
        #expect(play.model.cursor == row(299) && play.screen.contains("4700 more are not loaded: not connected"))
    }

    @Test("if the daemon becomes unreachable, the keys that wait are dropped: their jokes do not come")
    func offlineJump() throws {
        var play = try play()
        play.type("Gf")
        #expect(play.screen.contains("loading…") && play.takeEffects().count == 1)
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        #expect(play.model.cursor == row(0) && !play.screen.contains("loading…"))
        play.happen(.connecting, .changed(try page(4700..<5000, of: 5000)))
        #expect(play.takeEffects() == [.send(.watch(View(size: 300)))])
    }

    @Test("keys that wait are pressed in order; Escape drops them, and the key that quits does not wait")
    func inOrder() throws {
        var play = try play()
        play.type("Gf?")
        #expect(play.model.page == nil)
        play.happen(.changed(try page(4700..<5000, of: 5000)))
        let star = Effect.send(.favorite(JokeID(rawValue: "t:4999"), isFavorite: true))
        #expect(play.takeEffects().last == star && play.model.page == nil)
        play.answer()
        #expect(play.model.page?.kind == .help)
        play.type("qgf")
        play.press(.escape)
        #expect(play.model.waiting == nil && play.model.shownView != play.model.watched)
        play.happen(.changed(try page(0..<300, of: 5000)))
        #expect(play.model.cursor == row(4999) && !play.takeEffects().contains(star))
        play.type("gfq")
        #expect(play.takeEffects().last == .quit)
    }

    @Test("Escape only drops the keys that wait; it does not end a search")
    func dropped() throws {
        var play = try play()
        play.search("d")
        let words = (0..<600).map { "d\($0)" }
        play.happen(.changed(try found("d", Array(words.prefix(300)), count: 600)))
        play.type("Gf")
        play.press(.escape)
        #expect(play.model.waiting == nil && play.model.search?.query == "d" && play.model.notice == nil)
        play.happen(.changed(try found("d", Array(words.suffix(300)), count: 600, start: 300)))
        #expect(play.model.waiting == nil && play.screen.contains(" [/d]\n"))
        play.press(.escape)
        #expect(play.model.search == nil)
    }

    @Test("moves in the old list, while another list is loading, are not repeated in the new list")
    func otherList() throws {
        var play = try play()
        play.search("d")
        play.type("jj")
        play.happen(.changed(try found("d", (0..<9).map { "d\($0)" }, count: 9)))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d0"))))
    }

    private func page(_ numbers: Range<Int>, favorites: Int) throws -> JokeSnapshot {
        try snapshot(
            favorites: (0..<favorites).map { favorite("t:\($0)", "Favorite \($0).") },
            jokes: numbers.map { joke("t:\($0)", "Joke number \($0).", isSeen: false) },
            header: JokesHeader(shown: 5000, lastSync: noon, start: numbers.lowerBound))
    }

    /// A viewer with the last 300 of 5000 jokes, and the cursor at the first of many favorites.
    private func playFarAbove(favorites: Int) throws -> Play {
        var play = try Play(columns: 60, rows: 11, showing: page(0..<300, favorites: favorites))
        play.type("g")
        play.press(.tab)
        play.type("G")
        play.happen(.changed(try page(4700..<5000, favorites: favorites)))
        _ = play.takeEffects()
        play.type("gj")
        return play
    }

    @Test("from far above the list, the key for the next unseen joke begins at the first joke")
    func unseenFromFarAbove() throws {
        var play = try playFarAbove(favorites: 1000)
        play.type("]")
        #expect(play.takeEffects() == [.send(.watch(View(size: 300)))])
        play.happen(.changed(try page(0..<300, favorites: 1000)))
        #expect(play.model.cursor == row(0))
    }

    @Test("a key that unfolds the only section selects a loaded joke until others come", arguments: ["4000G", "]"])
    func unfolded(keys: String) throws {
        var play = try Play(columns: 60, rows: 11, showing: page(1000..<1300, favorites: 0))
        play.press(.tab)
        play.type(keys)
        #expect(play.model.cursor == row(1000) && !play.takeEffects().isEmpty)
    }

    @Test("without a daemon, each loaded row can be reached")
    func unreachable() throws {
        var play = try playFarAbove(favorites: 400)
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("g")
        var down: [RowID?] = []
        for _ in 0..<702 {
            down.append(play.model.cursor)
            play.type("j")
        }
        #expect(down[400] == .item(.favorite(JokeID(rawValue: "t:399"))) && down[401] == .header(.jokes))
        #expect(down[402] == row(4700) && play.model.cursor == row(4999))
        var up: [RowID?] = []
        for _ in 0..<702 {
            up.append(play.model.cursor)
            play.type("k")
        }
        #expect(up == Array(down.reversed()) && play.takeEffects() == [])
    }

    @Test("the wheel loads more before the end becomes visible, and the list does not move")
    func wheel() throws {
        var play = try play()
        let down = MouseEvent(.wheelDown, play.position(1, 1))
        for _ in 0..<64 { play.happen(.mouse(down)) }
        #expect(play.takeEffects() == [])
        for _ in 0..<5 { play.happen(.mouse(down)) }
        #expect(play.takeEffects().count == 1)
        let before = play.list.split(separator: "\n").filter { $0.contains("Joke") }
        let cursor = play.model.cursor
        let start = play.model.watched.start
        play.happen(.changed(try page(start..<start + 300, of: 5000)))
        #expect(play.model.cursor == cursor)
        #expect(play.list.split(separator: "\n").prefix(before.count).elementsEqual(before))
    }

    @Test("a key that waits for jokes moves from its joke, however many new jokes come before them")
    func newOnesBeforeAKey() throws {
        var play = try play(2000..<2300)
        for _ in 0..<300 { play.type("j") }
        #expect(play.model.waiting?.awaited == .jokes)
        for _ in 0..<2 {
            let start = play.model.watched.start
            let rows = numbered(start - 1000..<start - 100)
            play.happen(.changed(try snapshot(jokes: rows, header: JokesHeader(shown: 6000, start: start))))
        }
        #expect(play.model.cursor == row(2300) && play.model.waiting == nil)
    }

    @Test("n and N go through all results and wrap at the true ends")
    func nextFound() throws {
        var play = try play()
        play.search("d")
        let words = (0..<600).map { "d\($0)" }
        play.happen(.changed(try found("d", Array(words.prefix(300)), count: 600)))
        play.type("N")
        play.happen(.changed(try found("d", Array(words.suffix(300)), count: 600, start: 300)))
        #expect(play.screen.hasSuffix("Wrapped to the last match"))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d599"))))
        play.type("n")
        play.happen(.changed(try found("d", Array(words.prefix(300)), count: 600)))
        #expect(play.screen.hasSuffix("Wrapped to the first match"))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d0"))))
        for _ in 0..<320 { play.type("n") }
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d299"))))
        let start = play.model.watched.start
        play.happen(.changed(try found("d", Array(words[start..<start + 300]), count: 600, start: start)))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d320"))))
    }

    @Test("pages lead to the last joke and back to the first row, whatever the heights of the rows and of the screen")
    func pagesReachTheEnds() throws {
        func run(_ random: inout SplitMix64, size: Int) -> (rows: Int, words: [Int]) {
            (random.int(in: 3..<16), (0..<size + 1).map { _ in random.int(in: 1..<120) })
        }
        try checkProperty("pages", cases: 100, maxSize: 12, generate: run) { run in
            let jokes = run.words.enumerated().map { joke("t:\($0)", String(repeating: "duck ", count: $1)) }
            var play = try Play(columns: 40, rows: run.rows, showing: snapshot(jokes: jokes))
            for (key, end) in [(Key.pageDown, play.lastRow), (.pageUp, play.firstRow), (.control("d"), play.lastRow)] {
                for _ in 0..<200 where play.model.cursor != end { play.press(key) }
                try verify(play.model.cursor == end, "\(key) stops at \(String(describing: play.model.cursor))")
            }
        }
    }
}

extension Play {
    fileprivate var lastRow: RowID? { model.snapshot?.itemIdentifiers.last.map { .item($0) } }
}
