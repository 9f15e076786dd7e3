import Terminal
import TextLayout

// Which lines of the list are on the screen. The anchor is a row and not a number of lines, so that rows above the
// screen need not be measured: every step costs what is on the screen, however long the list is.

extension Model {
    /// The rows of which a line is on the screen, each with all of its lines. O(screen).
    var shownRows: [(id: RowID, lines: [Line])] {
        guard let top else { return [] }
        var shown: [(id: RowID, lines: [Line])] = []
        var room = listHeight + top.line
        var row: RowID? = top.row
        while let current = row, room > 0 {
            let lines = lines(of: current)
            shown.append((current, lines))
            room -= lines.count
            row = rows.row(after: current)
        }
        return shown
    }

    /// Lines that a row takes; what is said of an empty section is the last row's, so that who goes there sees it.
    func height(of row: RowID) -> Int {
        lines(of: row).count + (row == rows.last ? emptyLines.count : 0)
    }

    /// How many lines below the top of the screen the row begins, negative above it. O(screen), and nil where it is a
    /// screen or more away.
    func screenLine(of row: RowID) -> Int? {
        guard let top, let place = rows.position(of: row), let start = rows.position(of: top.row) else { return nil }
        if place < start { return nil }
        var line = -top.line
        var current = top.row
        while current != row {
            line += height(of: current)
            guard line < listHeight, let next = rows.row(after: current) else { return nil }
            current = next
        }
        return line
    }

    /// Scrolls as little as shows the cursor's row, or as much of it as the screen holds.
    mutating func showCursor() {
        guard let cursor else {
            top = nil
            return
        }
        let spare = listHeight - height(of: cursor)
        let line = screenLine(of: cursor) ?? (isAboveScreen(cursor) ? .min : .max)
        place(cursor, at: min(max(line, min(0, spare)), max(0, spare)))
    }

    private func isAboveScreen(_ row: RowID) -> Bool {
        guard let place = rows.position(of: row), let start = top.flatMap({ rows.position(of: $0.row) }) else {
            return true
        }
        return place < start
    }

    /// Scrolls so that the row begins at a line of the screen, or nearer to the top where there is less above it.
    mutating func place(_ row: RowID, at line: Int) {
        top = anchor(Anchor(row: row, line: 0), movedBy: -line)
        fill()
    }

    /// Leaves no line empty below the last row while there are rows above the screen.
    mutating func fill() {
        guard let top, let last = rows.last else { return }
        let lowest = anchor(Anchor(row: last, line: height(of: last)), movedBy: -listHeight)
        if isBelow(top, lowest) { self.top = lowest }
    }

    private func isBelow(_ a: Anchor, _ b: Anchor) -> Bool {
        guard let first = rows.position(of: a.row), let second = rows.position(of: b.row) else { return true }
        return first == second ? a.line > b.line : first > second
    }

    /// The anchor so many lines further down, or up where negative, but not past the ends of the list.
    func anchor(_ start: Anchor, movedBy lines: Int) -> Anchor {
        var anchor = start
        anchor.line += lines
        while anchor.line < 0, let previous = rows.row(before: anchor.row) {
            anchor.row = previous
            anchor.line += height(of: previous)
        }
        while anchor.line >= height(of: anchor.row), let next = rows.row(after: anchor.row) {
            anchor.line -= height(of: anchor.row)
            anchor.row = next
        }
        anchor.line = max(0, min(anchor.line, height(of: anchor.row) - 1))
        return anchor
    }

    /// The row at a line of the screen, or the last one where the list ends above it.
    func row(atScreenLine line: Int) -> RowID? {
        top.map { anchor($0, movedBy: line).row }
    }
}

extension Model {
    /// Gives each row one line, or as many as it needs. The cursor's stays on its line of the screen.
    mutating func toggleWrapping() {
        let line = cursor.flatMap { screenLine(of: $0) }
        wrapsRows.toggle()
        notice = Notice(
            text: wrapsRows
                ? "Line wrapping on" : "Line wrapping off; \(keys.name(of: .wrap)) turns it on",
            role: .plain)
        if let cursor, let line { place(cursor, at: line) }
        showCursor()
    }
}
