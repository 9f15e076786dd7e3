package import TextLayout

/// The size of a screen in character cells.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell of the screen, counted from the top left, which is 0, 0.
package struct Position: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// All that a screen shows at one moment.
package struct Frame: Hashable, Sendable {
    /// From the top; what has no line is blank.
    package var lines: [Line]
    /// Where a visible cursor stands; nil hides it.
    package var cursor: Position?

    package init(lines: [Line], cursor: Position? = nil) {
        self.lines = lines
        self.cursor = cursor
    }

    /// The text of the lines without styles and without blanks at their ends, for tests and pipes.
    package var plainText: String {
        lines.map { line in
            let text = line.plainText
            let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
            return String(text[..<end])
        }.joined(separator: "\n")
    }
}
