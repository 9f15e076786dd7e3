import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

extension ScreenTests {
    @Test("after any frames, the terminal shows the last one, cell by cell", arguments: TerminalScreen.Kind.allCases)
    func painting(type: TerminalScreen.Kind) async throws {
        try await owner.begin(type: type.rawValue)
        var random = SplitMix64(seed: testSeed)
        var screen = TerminalScreen(type, columns: 40, rows: 6) { $0.columns }
        var shown = Frame(lines: [])
        for number in 0..<scaled(300) {
            var lines = (0..<6).map { _ in randomLine(&random) }
            // A viewer's frames are mostly the one before with a line or two changed.
            if number % 3 > 0 { lines[1...] = shown.lines[1...] }
            shown = Frame(lines: lines)
            await owner.paint(shown)
            // Frames have no bell: this one marks where their bytes end.
            try await owner.ring()
            screen.process(Array(try terminal.read(until: "\u{7}").utf8).dropLast())
            let expected = lines.map { cells(of: $0, columns: 40) }
            if screen.rows != expected {
                Issue.record(
                    """
                    Frame \(number) with JOKESD_TEST_SEED=\(testSeed) is not what the terminal shows.
                    expected:
                    \(expected)
                    got:
                    \(screen.rows)
                    """)
                break
            }
        }
        await owner.end()
        #expect(screen.unexpectedOutput.isEmpty)
    }
}

/// A line of characters with a width that C libraries of any age know.
private func randomLine(_ random: inout SplitMix64) -> Line {
    let clusters = ["a", "b", " ", " ", "é", "e\u{301}", "日", "本", "😀", "👩‍👩‍👧‍👦", "❤️", "🇩🇪", "क्षि", "★", "\u{1B}", "…"]
    let text = (0..<random.int(in: 0..<50)).map { _ in clusters[random.int(in: 0..<clusters.count)] }.joined()
    return Line([Span(text), Span("end", .bold)]).truncated(to: 40)
}

/// The cells of a painted line.
private func cells(of line: Line, columns: Int) -> [String] {
    let painted = line.plainText.flatMap { cluster in
        glyphs(of: cluster) { $0.columns }
    }
    let cells = painted.flatMap { glyph in
        [String(String.UnicodeScalarView([glyph.base] + glyph.marks))]
            + Array(repeating: "", count: glyph.base.columns - 1)
    }
    return cells + Array(repeating: " ", count: columns - cells.count)
}
