import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct PagingTests {
    private func page(_ numbers: Range<Int>, of cached: Int) throws -> JokeSnapshot {
        try picture(jokes: numbered(numbers), header: JokesHeader(cached: cached, lastSync: noon))
    }

    private func play(_ shown: Int = 50, of cached: Int = 180) throws -> Play {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try page(0..<shown, of: cached)))
        return play
    }

    @Test("behind the last joke that is shown is a row that says how many more there are")
    func sign() throws {
        let play = try play(5, of: 180)
        #expect(play.screen.contains("Joke number 4.") && play.screen.contains("\n  … 175 more; scroll down to load\n"))
        var all = try self.play(50, of: 50)
        all.type("G")
        #expect(all.model.cursor == row(49) && !all.screen.contains("more"))
    }

    @Test("going on to the end asks for fifty more, and goes on to the first of them")
    func more() throws {
        var play = try play()
        play.type("G")
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 100)))])
        #expect(play.screen.contains("Loading more…"))
        let line = play.cursorLine
        play.type("jjj")
        #expect(play.takeEffects() == [])
        play.happen(.changed(try page(0..<100, of: 180)))
        #expect(play.model.cursor == row(50) && play.cursorLine == line)
        play.type("G")
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 150)))])
    }

    @Test("the wheel asks for more where the end comes on the screen, and the list stays where it is")
    func wheel() throws {
        let down = MouseEvent(.wheelDown, Position(column: 0, row: 0))
        var play = try play(20)
        for _ in 0..<3 { play.happen(.mouse(down)) }
        #expect(play.takeEffects() == [])
        for _ in 0..<5 { play.happen(.mouse(down)) }
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 70)))])
        let before = play.screen.split(separator: "\n").filter { $0.contains("Joke") }
        #expect(before.last?.contains("Joke number 19.") == true)
        let cursor = play.model.cursor
        play.happen(.changed(try page(0..<70, of: 180)))
        #expect(play.model.cursor == cursor)
        #expect(play.screen.split(separator: "\n").prefix(before.count).elementsEqual(before))
        play.happen(.mouse(down))
        #expect(play.takeEffects() == [] && play.screen.contains("Joke number 22."))
        play.happen(.mouse(MouseEvent(.wheelUp, Position(column: 0, row: 0))))
        #expect(play.takeEffects() == [])
    }

    @Test("a click on the row behind the last joke asks for more as well, and so do pages")
    func clickAndPages() throws {
        var play = try play(5)
        play.happen(.mouse(MouseEvent(.click, Position(column: 4, row: 6))))
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 55)))])
        play = try self.play(20)
        while play.model.cursor != .more(.jokes) { play.press(.pageDown) }
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 70)))])
    }

    @Test("what comes above meanwhile does not move the end")
    func newOnes() throws {
        var play = try play()
        play.type("G")
        var jokes = [joke("t:new", "New.")]
        jokes += numbered(0..<99)
        play.happen(.changed(try picture(jokes: jokes, header: JokesHeader(cached: 181, lastSync: noon))))
        #expect(play.model.cursor == row(50))
    }

    @Test("no more than the daemon tells are asked for, and that is said")
    func most() throws {
        var play = try play(980, of: 5000)
        play.type("G")
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 1000)))])
        #expect(play.screen.contains("Loading more"))
        play.happen(.changed(try page(0..<1000, of: 5000)))
        play.type("G")
        #expect(play.screen.contains("4000 more; / searches them"))
        #expect(play.takeEffects() == [])
        #expect(play.screen.hasSuffix("At most 1000 jokes are listed; / searches all"))
    }

    @Test("more of a search are asked for alike, and the next query begins with as many as the daemon chooses")
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
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(query: "d", size: 100)))])
        play.happen(.changed(try found("d", words, count: 60)))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d50"))))
        play.type("/u")
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(query: "du")))])
        play.press(.escape)
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(size: 100)))])
    }

    @Test("n at the end of what is shown of a search goes on to the first that comes")
    func nextFound() throws {
        var play = try play()
        play.type("/d")
        play.press(.enter)
        play.happen(.changed(try found("d", ["d0", "d1"], count: 4)))
        play.type("n")
        _ = play.takeEffects()
        play.type("n")
        #expect(play.takeEffects() == [.ask(.watch(Wire.View(query: "d", size: 52)))])
        play.happen(.changed(try found("d", ["d0", "d1", "d2", "d3"])))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d2"))))
    }

    @Test("hiding the only joke that is not shown, or one of those that are, leaves no row for more")
    func hiding() throws {
        var play = try play(50, of: 50)
        play.type("H")
        #expect(!play.screen.contains("more"))
        play.type("G")
        #expect(play.takeEffects() == [.ask(.hide(JokeID(rawValue: "t:0"), isHidden: true))])
        #expect(play.model.cursor == row(49))
    }
}
