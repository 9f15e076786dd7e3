import TestSupport
import Testing
import TextLayout

@testable import JokesControl

/// Laws of styled text in the columns of a terminal.
@Suite struct StyledTextLayoutTests {
    private static let count = scaled(4000)
    private static let parts = [
        "a", "word", "a-longer-word", " ", "  ", "漢字", "、", "\u{1F469}\u{200D}\u{1F680}", "\u{1F1EB}\u{1F1F7}",
        "e\u{301}",
        "\u{1B}[2J", "\u{202E}", "\u{F8F3}", "한국어", "…", "नमस्ते", "\u{301}", "\u{200D}", "\u{1F1EB}", "ᄀ", "ᅡ",
    ]
    private static let styles: [StyledText.Style?] = [nil, .bold, .dim, .red, .green, .yellow]

    private func text(_ random: inout SplitMix64, lineFeeds: Bool) -> StyledText {
        let parts = Self.parts + (lineFeeds ? ["\n"] : [])
        return StyledText(
            (0..<random.int(in: 0..<8)).map { _ in
                let words = (0..<random.int(in: 0..<6)).map { _ in parts[random.int(in: 0..<parts.count)] }
                return (words.joined(), Self.styles[random.int(in: 0..<Self.styles.count)])
            })
    }

    private func plain(_ text: StyledText) -> String {
        text.pieces.map(\.text).joined()
    }

    private func check(_ law: (inout SplitMix64) throws -> Void) throws {
        for round in 0..<Self.count {
            var random = SplitMix64(seed: testSeed &+ UInt64(round))
            do {
                try law(&random)
            } catch {
                throw BrokenLaw("\(error) Round \(round); JOKESD_TEST_SEED=\(testSeed) repeats it.")
            }
        }
    }

    @Test("a truncated text is no wider than it may be, is the beginning of the text, and all of it where that fits")
    func truncation() throws {
        try check { random in
            let text = text(&random, lineFeeds: true)
            let limit = random.int(in: 0..<40)
            let line = text.truncated(to: limit)
            try hold(plain(line).columns <= limit, "\(text.pieces) in \(limit) columns is \(line.pieces).")
            let whole = plain(text.truncated(to: .max))
            if whole.columns <= limit {
                try hold(plain(line) == whole, "\(text.pieces) fits \(limit) columns and is cut to \(line.pieces).")
            } else if limit > 0 {
                try hold(
                    plain(line).hasSuffix(ellipsis), "\(text.pieces) is cut to \(line.pieces), which does not say so.")
                try hold(
                    whole.unicodeScalars.starts(with: plain(line).unicodeScalars.dropLast()),
                    "\(line.pieces) of \(text.pieces).")
            }
        }
    }

    @Test("wrapped text is broken as plain text is, and each of its characters has the style that it had")
    func wrapping() throws {
        try check { random in
            let text = text(&random, lineFeeds: true)
            let columns = random.int(in: 8..<40)
            let lines = text.wrapped(to: columns)
            let clean = text.pieces.map { piece in
                (
                    piece.text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }
                        .joined(separator: "\n"),
                    piece.style
                )
            }
            try hold(
                lines.map(plain) == TextLayout.wrapped(clean.map(\.0).joined(), to: columns),
                "\(text.pieces) is \(lines).")
            let before = clean.flatMap { text, style in scalars(of: text).map { ($0, style) } }
            let after = lines.flatMap { $0.pieces.flatMap { text, style in scalars(of: text).map { ($0, style) } } }
            try hold(before.map(\.0) == after.map(\.0), "\(text.pieces) becomes \(lines).")
            try hold(before.map(\.1) == after.map(\.1), "\(text.pieces) is styled as \(lines).")
        }
    }

    private func scalars(of text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != " " && $0 != "\n" }
    }

    @Test("pieces side by side are torn only where one is wider than a line")
    func filling() throws {
        try check { random in
            let pieces = (0..<random.int(in: 0..<8)).map { _ in text(&random, lineFeeds: false) }
            let columns = random.int(in: 8..<40)
            let lines = StyledText.filled(pieces, to: columns).map(plain)
            try hold(lines.allSatisfy { $0.columns <= columns }, "\(pieces) in \(columns) columns: \(lines).")
            for piece in pieces.map({ plain($0.truncated(to: .max)) }) where piece.columns <= columns {
                let word = piece.split(separator: " ").joined(separator: " ")
                try hold(
                    lines.contains { $0.split(separator: " ").joined(separator: " ").contains(word) },
                    "\(piece) is torn in \(lines).")
            }
        }
    }

    @Test("the pause before a punchline grows with the setup, between bounds")
    func pause() {
        let lengths = [0, 1, 20, 40, 80, 120, 300, 8000]
        let pauses = lengths.map { Telling.pause(after: String(repeating: "x", count: $0)) }
        #expect(pauses == pauses.sorted() && pauses.first == .seconds(1.5) && pauses.last == .seconds(8))
        #expect(pauses[3] == .seconds(3))
        #expect(Telling.pause(after: "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字") == pauses[3])
    }
}
