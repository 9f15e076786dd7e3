import JokesCore
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct MarkedTextTests {
    private func marked(_ lines: [Line]) -> [[String]] {
        lines.map { $0.spans.filter { $0.style == .found }.map(\.text) }
    }

    @Test("what was searched for is marked in every line that it goes on in, a phrase with the blanks in it")
    func lines() {
        let text = "A duck met a goose, and\nthe duck ran."
        #expect(marked(markedLines(text, [2..<6, 11..<18, 28..<32], to: 80)) == [["duck", "a goose"], ["duck"]])
        #expect(
            marked(markedLines(text, [2..<6, 11..<18, 28..<32], to: 8)) == [
                ["duck"], ["a"], ["goose"], [], ["duck"], [],
            ])
    }

    @Test("wide, joined and combined characters are marked as they are, and so is what is behind a control character")
    func characters() {
        let text = "日本語\u{1B} e\u{301}te\u{301} 👩‍👩‍👧‍👦 naïve"
        let start = text.utf8.count - "naïve".utf8.count
        #expect(marked(markedLines(text, [3..<6, start..<text.utf8.count], to: 80)) == [["本", "naïve"]])
    }

    @Test("lines are broken as without marks, and what is marked is what the marks say")
    func law() throws {
        let pieces = ["duck", "goose", "日本", "e\u{301}", "👍🏽", " ", "  ", "\n", "-", "w\u{200B}w", "longlonglonglong"]
        try checkLaw("marked text", cases: 500, maxSize: 30) { random, size in
            (
                (0..<size).map { _ in (pieces[random.int(in: 0..<pieces.count)], random.chance(1, in: 4)) },
                random.int(in: 2..<30)
            )
        } law: { words, columns in
            let text = words.map(\.0).joined()
            var (offset, marks, expected): (Int, [Range<Int>], String) = (0, [], "")
            for (word, isMarked) in words {
                if isMarked {
                    marks.append(offset..<offset + word.utf8.count)
                    expected += sanitized(word).filter { $0 != " " }
                }
                offset += word.utf8.count
            }
            let lines = markedLines(text, marks, to: columns)
            try hold(lines.map(\.plainText) == wrapped(text, to: columns), "other lines of \(text.debugDescription)")
            let got = marked(lines).flatMap(\.self).joined().filter { $0 != " " }
            try hold(got == expected, "\(got) is marked and not \(expected) in \(text.debugDescription)")
            let short = markedLines(text, marks, to: columns, atMost: 2).map(\.plainText)
            try hold(short == wrapped(text, to: columns, atMost: 2), "other lines where it is cut off")
        }
    }
}
