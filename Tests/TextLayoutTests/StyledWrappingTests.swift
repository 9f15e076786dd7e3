import TestSupport
import Testing
import TextLayout

/// Lines with several styles, and text with marks.
@Suite struct StyledWrappingTests {
    private func marked(_ lines: [Line]) -> [[String]] {
        lines.map { $0.spans.filter { $0.style == .found }.map(\.text) }
    }

    @Test("a match is marked on each of its lines, with the spaces in it")
    func marks() {
        let text = "A duck met a goose, and\nthe duck ran."
        let marks = [2..<6, 11..<18, 28..<32]
        #expect(marked(wrapped(text, marking: marks, to: 80)) == [["duck", "a goose"], ["duck"]])
        #expect(
            marked(wrapped(text, marking: marks, to: 8)) == [["duck"], ["a"], ["goose"], [], ["duck"], []])
    }

    @Test("wide, joined and combined characters are marked, and also text after a control character")
    func characters() {
        let text = "日本語\u{1B} e\u{301}te\u{301} 👩‍👩‍👧‍👦 naïve"
        let start = text.utf8.count - "naïve".utf8.count
        #expect(marked(wrapped(text, marking: [3..<6, start..<text.utf8.count], to: 80)) == [["本", "naïve"]])
    }

    @Test("marks do not change the line breaks, and only the marked text is marked")
    func markedText() throws {
        let pieces = ["duck", "goose", "日本", "e\u{301}", "👍🏽", " ", "  ", "\n", "-", "w\u{200B}w", "longlonglonglong"]
        try checkProperty("marked text", cases: 500, maxSize: 30) { random, size in
            (
                (0..<size).map { _ in (pieces[random.int(in: 0..<pieces.count)], random.chance(1, in: 4)) },
                random.int(in: 3..<30)
            )
        } property: { words, columns in
            let text = words.map(\.0).joined()
            var (offset, marks, expected): (Int, [Range<Int>], String) = (0, [], "")
            for (word, isMarked) in words {
                if isMarked {
                    marks.append(offset..<offset + word.utf8.count)
                    expected += sanitized(word).filter { $0 != " " }
                }
                offset += word.utf8.count
            }
            let first = (columns + 1) / 2
            for limit in [2, .max] {
                let lines = wrapped(text, marking: marks, to: columns, first: first, atMost: limit)
                let same = wrapped(text, to: columns, first: first, atMost: limit).map(\.plainText)
                try verify(lines.map(\.plainText) == same, "other lines of \(text.debugDescription)")
            }
            let lines = wrapped(text, marking: marks, to: columns, first: first)
            try verify(lines[0].columns <= first && lines.allSatisfy { $0.columns <= columns }, "\(lines) is too wide")
            let got = marked(lines).flatMap(\.self).joined().filter { $0 != " " }
            try verify(got == expected, "\(got) is marked and not \(expected) in \(text.debugDescription)")
        }
    }

    private static let parts = [
        "a", "word", "a-longer-word", " ", "  ", "漢字", "、", "\u{1F469}\u{200D}\u{1F680}", "\u{1F1EB}\u{1F1F7}",
        "e\u{301}", "\u{1B}[2J", "\u{202E}", "\u{F8F3}", "한국어", "…", "नमस्ते",
    ]

    private func line(_ random: inout SplitMix64) -> Line {
        Line(
            (0..<random.int(in: 0..<8)).map { _ in
                let words = (0..<random.int(in: 0..<6)).map { _ in Self.parts[random.int(in: 0..<Self.parts.count)] }
                return Span(words.joined(), [.plain, .bold, .muted, .bad][random.int(in: 0..<4)])
            })
    }

    @Test("a line breaks like its text, and each character keeps its style")
    func lines() throws {
        try checkProperty("styled lines", cases: 4000) { random, _ in
            (line(&random), random.int(in: 8..<40))
        } property: { line, columns in
            let lines = line.wrapped(to: columns)
            try verify(
                lines.map(\.plainText) == wrapped(line.plainText, to: columns).map(\.plainText),
                "\(line) is \(lines).")
            let (before, after) = (line.spans.flatMap(styledScalars), lines.flatMap { $0.spans.flatMap(styledScalars) })
            try verify(before.map(\.0) == after.map(\.0), "\(line) becomes \(lines).")
            try verify(before.map(\.1) == after.map(\.1), "\(line) is styled as \(lines).")
        }
    }

    private func styledScalars(_ span: Span) -> [(Unicode.Scalar, Style)] {
        span.text.unicodeScalars.filter { $0 != " " }.map { ($0, span.style) }
    }

    @Test("a piece breaks only if it is wider than a line")
    func filling() throws {
        func words(_ line: Line) -> String {
            line.plainText.split(separator: " ").joined(separator: " ")
        }
        try checkProperty("filled lines", cases: 4000) { random, _ in
            ((0..<random.int(in: 0..<8)).map { _ in line(&random) }, random.int(in: 8..<40))
        } property: { pieces, columns in
            let lines = Line.filled(pieces, to: columns)
            try verify(lines.allSatisfy { $0.columns <= columns }, "\(pieces) in \(columns) columns: \(lines).")
            for piece in pieces where piece.columns <= columns {
                try verify(lines.contains { words($0).contains(words(piece)) }, "\(piece) is torn in \(lines).")
            }
        }
    }
}
