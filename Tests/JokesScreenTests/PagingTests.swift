import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct PagingTests {
    private func page(_ numbers: Range<Int>, of cached: Int) throws -> JokeSnapshot {
        try snapshot(jokes: numbered(numbers), header: JokesHeader(shown: cached, lastSync: noon))
    }

    private func play(_ shown: Int = 50, of cached: Int = 180) throws -> Play {
        var play = Play(columns: 60, rows: 11)
        play.happen(.changed(try page(0..<shown, of: cached)))
        return play
    }

    @Test("the row after the last joke shows how many more there are")
    func sign() throws {
        let play = try play(5, of: 180)
        #expect(play.screen.contains("Joke number 4.") && play.screen.contains("\n  … 175 more; scroll down to load\n"))
        var all = try self.play(50, of: 50)
        all.type("G")
        #expect(all.model.cursor == row(49) && !all.screen.contains("more"))
    }

    @Test("moving past the end loads fifty more, and the cursor moves to the first of them")
    func more() throws {
        var play = try play()
        play.type("G")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 100)))])
        #expect(play.screen.contains("Loading more…"))
        let line = play.cursorLine
        play.type("jjj")
        #expect(play.takeEffects() == [])
        play.happen(.changed(try page(0..<100, of: 180)))
        #expect(play.model.cursor == row(50) && play.cursorLine == line)
        play.type("G")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 150)))])
    }

    @Test("the wheel loads more when the end becomes visible, and the list does not move")
    func wheel() throws {
        let down = MouseEvent(.wheelDown, Position(column: 1, row: 1))
        var play = try play(20)
        for _ in 0..<3 { play.happen(.mouse(down)) }
        #expect(play.takeEffects() == [])
        for _ in 0..<5 { play.happen(.mouse(down)) }
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 70)))])
        let before = play.list.split(separator: "\n").filter { $0.contains("Joke") }
        #expect(before.last?.contains("Joke number 19.") == true)
        let cursor = play.model.cursor
        play.happen(.changed(try page(0..<70, of: 180)))
        #expect(play.model.cursor == cursor)
        #expect(play.list.split(separator: "\n").prefix(before.count).elementsEqual(before))
        play.happen(.mouse(down))
        #expect(play.takeEffects() == [] && play.screen.contains("Joke number 22."))
        play.happen(.mouse(MouseEvent(.wheelUp, Position(column: 0, row: 0))))
        #expect(play.takeEffects() == [])
    }

    @Test("a click on the row after the last joke and paging also load more")
    func clickAndPages() throws {
        var play = try play(5)
        play.happen(.mouse(MouseEvent(.click, play.position(4, 6))))
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 55)))])
        play = try self.play(20)
        while play.model.cursor != .more(.jokes) { play.press(.pageDown) }
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 70)))])
    }

    @Test("new jokes above do not move the end of the list")
    func newOnes() throws {
        var play = try play()
        play.type("G")
        var jokes = [joke("t:new", "New.")]
        jokes += numbered(0..<99)
        play.happen(.changed(try snapshot(jokes: jokes, header: JokesHeader(shown: 181, lastSync: noon))))
        #expect(play.model.cursor == row(50))
    }

    @Test("no more than the maximum of jokes is requested, and a notice says so")
    func most() throws {
        var play = try play(980, of: 5000)
        play.type("G")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 1000)))])
        #expect(play.screen.contains("Loading more"))
        play.happen(.changed(try page(0..<1000, of: 5000)))
        play.type("G")
        #expect(play.screen.contains("4000 more; / searches them"))
        #expect(play.takeEffects() == [])
        #expect(play.screen.hasSuffix("At most 1000 jokes are listed; / searches all"))
    }

    @Test("more results load in the same way, and the next query starts with the default size")
    func searched() throws {
        var play = try play()
        play.type("G")
        play.happen(.changed(try page(0..<100, of: 180)))
        play.type("/d")
        play.press(.enter)
        _ = play.takeEffects()
        let words = (0..<60).map { "d\($0)" }
        play.happen(.changed(try found("d", Array(words.prefix(50)), count: 60)))
        play.type("G")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(query: "d", size: 100)))])
        play.happen(.changed(try found("d", words, count: 60)))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d50"))))
        play.type("/u")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(query: "du")))])
        play.press(.escape)
        #expect(play.takeEffects() == [.send(.watch(Wire.View(size: 100)))])
    }

    @Test("n after the last loaded result loads more and moves to the first of them")
    func nextFound() throws {
        var play = try play()
        play.type("/d")
        play.press(.enter)
        play.happen(.changed(try found("d", ["d0", "d1"], count: 4)))
        play.type("n")
        _ = play.takeEffects()
        play.type("n")
        #expect(play.takeEffects() == [.send(.watch(Wire.View(query: "d", size: 52)))])
        play.happen(.changed(try found("d", ["d0", "d1", "d2", "d3"])))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d2"))))
    }

    @Test("if all remaining jokes are loaded, there is no row for more")
    func hiding() throws {
        var play = try play(50, of: 50)
        play.type("H")
        #expect(!play.screen.contains("more"))
        play.type("G")
        #expect(play.takeEffects() == [.send(.hide(JokeID(rawValue: "t:0"), isHidden: true))])
        #expect(play.model.cursor == row(49))
    }
}
