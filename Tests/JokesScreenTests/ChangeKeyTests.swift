import Terminal
import Testing

@testable import JokesScreen

/// The claims that are the same for the key of each change.
@Suite struct ChangeKeyTests {
    private static let changes = [
        ("f", "Favorite unchanged: not connected"), ("x", "Not hidden: not connected"),
        ("m", "Not marked: not connected"), ("u", "Not undone: not connected"),
    ]

    private func play() throws -> Play {
        var play = Play(columns: 60, rows: 10)
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        return play
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
