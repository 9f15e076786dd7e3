import Terminal
import TestSupport
import Testing

extension ScreenTests {
    @Test("after any frames, the terminal shows the last one, cell by cell")
    func painting() async throws {
        try await owner.begin(type: "vt52", color: .never)
        var random = SplitMix64(seed: testSeed)
        var picture = TerminalPicture(columns: 40, rows: 6)
        var shown = Frame(lines: [])
        for number in 0..<300 {
            var lines = (0..<6).map { _ in randomLine(&random) }
            // A viewer's frames are mostly the one before with a line or two changed.
            if number % 3 > 0 { lines[1...] = shown.lines[1...] }
            shown = Frame(lines: lines)
            await owner.paint(shown)
            // Frames have no bell: this one marks where their bytes end.
            try await owner.ring()
            picture.take(try terminal.read(until: "\u{7}"))
            let expected = lines.map { TerminalPicture.cells(of: $0, columns: 40) }
            if picture.rows != expected {
                Issue.record(
                    """
                    Frame \(number) with JOKESD_TEST_SEED=\(testSeed) is not what the terminal shows.
                    expected:
                    \(expected)
                    got:
                    \(picture.rows)
                    """)
                break
            }
        }
        await owner.end()
    }
}

/// A line of what C libraries of any age know the width of.
private func randomLine(_ random: inout SplitMix64) -> Line {
    let clusters = ["a", "b", " ", " ", "é", "e\u{301}", "日", "本", "😀", "👩‍👩‍👧‍👦", "❤️", "🇩🇪", "क्षि", "★", "\u{1B}", "…"]
    let text = (0..<random.int(in: 0..<50)).map { _ in clusters[random.int(in: 0..<clusters.count)] }.joined()
    return Line([Span(text), Span("end", .bold)]).truncated(to: 40)
}

/// What a terminal of the type vt52 shows after the bytes it was given. A wide character's second cell is empty.
private struct TerminalPicture {
    private(set) var rows: [[String]]
    private var (row, column) = (0, 0)

    init(columns: Int, rows: Int) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    static func cells(of line: Line, columns: Int) -> [String] {
        let painted = line.plainText.flatMap { cluster in
            glyphs(of: cluster, replacement: "?") { $0.columns }
        }
        let cells = painted.flatMap { glyph in
            [String(String.UnicodeScalarView([glyph.base] + glyph.marks))]
                + Array(repeating: "", count: glyph.base.columns - 1)
        }
        return cells + Array(repeating: " ", count: columns - cells.count)
    }

    mutating func take(_ bytes: String) {
        var rest = bytes.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{7}": break
            case "\u{8}": column = max(0, column - 1)
            case "\t": column = min(rows[row].count - 1, (column / 8 + 1) * 8)
            case "\r": column = 0
            case "\n": if row == rows.count - 1 { scroll(from: 0, to: row) } else { row += 1 }
            case "\u{1B}": obey(rest.popFirst(), &rest)
            default: put(scalar)
            }
        }
    }

    private mutating func obey(_ command: Unicode.Scalar?, _ rest: inout Substring.UnicodeScalarView) {
        switch command {
        case "A": row -= 1
        case "B": row += 1
        case "C": column += 1
        case "D": column -= 1
        case "H": (row, column) = (0, 0)
        case "I": if row == 0 { scroll(from: rows.count - 1, to: 0) } else { row -= 1 }
        case "J":
            erase(from: column, in: row)
            for below in rows.indices where below > row { erase(from: 0, in: below) }
        case "K": erase(from: column, in: row)
        case "Y":
            row = Int(rest.removeFirst().value) - 32
            column = Int(rest.removeFirst().value) - 32
        case "=", ">", "F", "G": break
        default: Issue.record("A vt52 has no command \(String(describing: command)).")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = scalar.columns
        if width == 0 {
            let base = rows[row][column - 1].isEmpty ? column - 2 : column - 1
            rows[row][base].unicodeScalars.append(scalar)
            return
        }
        for offset in 0..<width { blank(column + offset) }
        rows[row][column] = String(scalar)
        if width == 2 { rows[row][column + 1] = "" }
        column = min(rows[row].count - 1, column + width)
    }

    /// Half a wide character is none: the other half goes too.
    private mutating func blank(_ index: Int) {
        if rows[row][index].isEmpty { rows[row][index - 1] = " " }
        if index + 1 < rows[row].count, rows[row][index + 1].isEmpty { rows[row][index + 1] = " " }
        rows[row][index] = " "
    }

    /// Takes a line away and puts an empty one elsewhere.
    private mutating func scroll(from lost: Int, to new: Int) {
        let blank = Array(repeating: " ", count: rows[lost].count)
        rows.remove(at: lost)
        rows.insert(blank, at: new)
    }

    private mutating func erase(from start: Int, in line: Int) {
        for index in start..<rows[line].count { rows[line][index] = " " }
    }
}
