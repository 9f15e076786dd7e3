import Diffable
import JokesCore
import Terminal
import Testing

@testable import JokesScreen

/// Counts before a key, and keys in pairs.
@Suite struct KeyCountTests {
    private func play(_ jokes: Int = 50, of count: Int? = nil) throws -> Play {
        var play = Play(columns: 60, rows: 12)
        play.happen(.changed(try snapshot(jokes: numbered(0..<jokes), header: JokesHeader(shown: count ?? jokes))))
        return play
    }

    @Test("a count repeats a move, and is the number of a joke before g and G")
    func counts() throws {
        var play = try play()
        play.type("12")
        #expect(play.screen.hasSuffix(" 12"))
        play.type("j")
        #expect(play.model.cursor == row(12))
        play.type("3k")
        #expect(play.model.cursor == row(9))
        play.type("20G")
        #expect(play.model.cursor == row(19))
        play.type("5g")
        #expect(play.model.cursor == row(4))
        play.type("99G")
        #expect(play.model.cursor == row(49))
        play.type("2{")
        #expect(play.model.cursor == row(0))
        // Escape drops the count. Before other keys, it does nothing, and a zero begins none.
        play.type("4")
        play.press(.escape)
        play.type("j3fj")
        #expect(play.model.cursor == row(1) && play.takeEffects().count == 1)
        play.answer()
        #expect(play.model.cursor == row(2))
        play.type("0")
        #expect(play.screen.hasSuffix("0 has no action; ? lists the keys"))
    }

    @Test("a count leads to jokes that are not loaded")
    func beyondWindow() throws {
        var play = try play(300, of: 5000)
        play.type("4000G")
        #expect(play.takeEffects() == [.send(.watch(View(size: 300, start: 3850)))])
        let page = try snapshot(jokes: numbered(3850..<4150), header: JokesHeader(shown: 5000, start: 3850))
        play.happen(.changed(page))
        #expect(play.model.cursor == row(3999) && play.takeEffects() == [])
        play = try self.play(300, of: 100_000)
        play.type("60000G")
        #expect(play.takeEffects() == [.send(.watch(View(size: 300, start: 59_850)))])
    }

    @Test("two keys are one action; a pair without an action does nothing")
    func pairs() throws {
        var play = try play()
        play.type("Zf")
        #expect(play.takeEffects() == [] && play.screen.hasSuffix("Zf has no action; ? lists the keys"))
        play.type("Z")
        play.press(.escape)
        #expect(play.takeEffects() == [])
        for quit in ["ZZ", ":q"] {
            play.type(quit)
            #expect(play.takeEffects() == [.quit])
        }
    }
}
