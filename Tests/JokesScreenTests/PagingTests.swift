import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing

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
        #expect(play.screen.contains("Joke number 4.") && play.screen.contains("\n  … 175 more; going on shows them\n"))
        var all = try self.play(50, of: 50)
        all.type("G")
        #expect(all.model.cursor == row(49) && !all.screen.contains("more"))
    }

    @Test("going on to the end asks for fifty more, and goes on to the first of them")
    func more() throws {
        var play = try play()
        play.type("G")
        #expect(play.takeEffects() == [.watch(Wire.View(size: 100))])
        #expect(play.screen.contains("Asking for more…"))
        let line = play.cursorLine
        play.type("jjj")
        #expect(play.takeEffects() == [])
        play.happen(.changed(try page(0..<100, of: 180)))
        #expect(play.model.cursor == row(50) && play.cursorLine == line)
        play.type("G")
        #expect(play.takeEffects() == [.watch(Wire.View(size: 150))])
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
        #expect(play.takeEffects() == [.watch(Wire.View(size: 1000))])
        play.happen(.changed(try page(0..<1000, of: 5000)))
        play.type("G")
        #expect(play.takeEffects() == [])
        #expect(play.screen.hasSuffix("No more are shown at a time; / searches them all."))
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
        #expect(play.takeEffects() == [.watch(Wire.View(query: "d", size: 100))])
        play.happen(.changed(try found("d", words, count: 60)))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d50"))))
        play.type("/u")
        #expect(play.takeEffects() == [.watch(Wire.View(query: "du"))])
        play.press(.escape)
        #expect(play.takeEffects() == [.watch(Wire.View(size: 100))])
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
        #expect(play.takeEffects() == [.watch(Wire.View(query: "d", size: 52))])
        play.happen(.changed(try found("d", ["d0", "d1", "d2", "d3"])))
        #expect(play.model.cursor == .item(.joke(JokeID(rawValue: "t:d2"))))
    }

    @Test("hiding the only joke that is not shown, or one of those that are, leaves no row for more")
    func hiding() throws {
        var play = try play(50, of: 50)
        play.type("H")
        #expect(!play.screen.contains("more"))
        play.type("G")
        #expect(play.takeEffects() == [.hide(JokeID(rawValue: "t:0"), isHidden: true)])
        #expect(play.model.cursor == row(49))
    }
}
