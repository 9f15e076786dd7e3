import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

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

    @Test(
        "the category and the source are beside the first line of a row if the list has room, in the color of the source"
    )
    func origins() throws {
        let text =
            "A joke of some words that is longer than a line of this list, so that the words go on below the names."
        for (columns, names) in [(79, ["Pun", "dad"]), (78, ["dad"]), (59, ["dad"]), (58, [])] {
            var play = Play(columns: columns, rows: 20)
            play.happen(
                .changed(try snapshot(jokes: [joke("dad:1", text, isSeen: false), joke("dad:2", text, isSeen: true)])))
            let rows = play.screen.split(separator: "\n").dropFirst().map { line in
                line.dropFirst().dropLast().split(separator: " ").map { String($0) }
            }
            #expect(rows[0].suffix(names.count) == names[...])
            let words = rows[0].dropLast(names.count) + rows.dropFirst().prefix { $0.first != "A" }.joined()
            #expect(words.joined(separator: " ") == text)
            let lines = view(play.model).lines.filter { $0.plainText.contains(" dad") }
            let roles = lines.map { line in line.spans.first { $0.text.contains("dad") }?.style.role }
            #expect(roles == (names.isEmpty ? [] : [.name("dad"), .muted]))
        }
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
