package import TextLayout

/// The content of the screen.
package struct Frame: Hashable, Sendable {
    /// The lines from the top; the rest of the screen is blank.
    package var lines: [Line]
    /// The position of the cursor; nil leaves it where it is.
    package var cursor: Position?
    /// False to move the cursor without showing it. Magnifiers and braille displays follow it.
    package var showsCursor: Bool

    package init(lines: [Line], cursor: Position? = nil, showsCursor: Bool = false) {
        (self.lines, self.cursor, self.showsCursor) = (lines, cursor, showsCursor)
    }
}

/// The size of a screen in character cells.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell of the screen; the top left one is 0, 0.
package struct Position: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}
