import Terminal
import TextLayout

// The lines of the list on the screen. The anchor is a row, so that rows above the screen need no layout: each step
// costs O(screen).

extension Model {
    /// The rows on the screen, each with all of its lines.
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

    /// The lines of a row. Those for an empty section belong to the last row.
    func height(of row: RowID) -> Int {
        lines(of: row).count + (row == rows.last ? emptyLines.count : 0)
    }

    /// The line of the screen where the row begins, negative above the screen; nil if it is a screen or more away.
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

    /// Scrolls as little as possible to show the row of the cursor.
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

    /// Scrolls so that the row begins at the line, or closer to the top if there are too few rows above it.
    mutating func place(_ row: RowID, at line: Int) {
        top = anchor(Anchor(row: row, line: 0), movedBy: -line)
        fill()
    }

    /// Fills empty lines below the last row if there are rows above the screen.
    mutating func fill() {
        guard let top, let last = rows.last else { return }
        let lowest = anchor(Anchor(row: last, line: height(of: last)), movedBy: -listHeight)
        if isBelow(top, lowest) { self.top = lowest }
    }

    private func isBelow(_ a: Anchor, _ b: Anchor) -> Bool {
        guard let first = rows.position(of: a.row), let second = rows.position(of: b.row) else { return true }
        return first == second ? a.line > b.line : first > second
    }

    /// Moves an anchor down, or up if `lines` is negative, within the list.
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

    /// The row at a line of the screen, or the last row.
    func row(atScreenLine line: Int) -> RowID? {
        top.map { anchor($0, movedBy: line).row }
    }
}

extension Model {
    /// Toggles wrapping, with the cursor on the same line of the screen.
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
