import Diffable
import JokesCore
import Terminal
import TextLayout

/// The parts of the screen: a header line, the list, the details beside it, and the footer.
struct Layout: Hashable, Sendable {
    /// The first cell of the list.
    let origin: Position
    let list: Size
    /// The size of the text of the details, to the right of the list after a vertical rule; nil if they are hidden.
    let details: Size?
    /// True if rules are around the list and the details.
    let isFramed: Bool
    /// True if the first line is the header.
    let hasHeader: Bool

    private static let minFramed = Size(columns: 50, rows: 14)
    private static let minRowsForHeader = 7
    private static let minColumnsForDetails = 100
    /// Longer lines are tiring to read.
    private static let maxColumnsOfDetails = 60

    /// The layout of a screen whose last `footer` lines are the footer; a screen of one line has only the list. If
    /// `wantsDetails` is nil, the details are shown if there is room beside the list.
    init(_ screen: Size, wantsDetails: Bool?, footer: Int = 1) {
        isFramed = screen.columns >= Self.minFramed.columns && screen.rows >= Self.minFramed.rows
        hasHeader = screen.rows >= Self.minRowsForHeader
        let border = isFramed ? 1 : 0
        origin = Position(column: border, row: hasHeader ? 1 : 0)
        let columns = screen.columns - 2 * border
        let rows = screen.rows - origin.row - border - (screen.rows > 1 ? footer : 0)
        let hasDetails = screen.columns >= Self.minColumnsForDetails && wantsDetails != false
        let width = hasDetails ? min(Self.maxColumnsOfDetails, screen.columns * 2 / 5) : 0
        list = Size(columns: hasDetails ? columns - width - 3 : columns, rows: rows)
        details = hasDetails ? Size(columns: width, rows: rows) : nil
    }
}

extension Model {
    var layout: Layout { Layout(size, wantsDetails: wantsDetails, footer: footerHeight) }

    var listHeight: Int { layout.list.rows }

    var listWidth: Int { layout.list.columns }

    /// Shows or hides the details: beside the list if there is room, otherwise as a page.
    mutating func toggleDetails() -> [Effect] {
        if layout.details != nil {
            wantsDetails = false
        } else if Layout(size, wantsDetails: true).details != nil {
            wantsDetails = true
        } else {
            return open(.details)
        }
        detailTop = 0
        showCursor()
        return []
    }

    /// Shows the start of the details, which are of another joke.
    mutating func showStartOfDetails() {
        detailTop = 0
        if page?.kind == .details { pages[pages.count - 1].top = 0 }
    }

    /// Scrolls the details within their ends.
    mutating func scrollDetails(by lines: Int) {
        detailTop = layout.details.map { max(0, min(detailTop + lines, detailLines(in: $0).count - $0.rows)) } ?? 0
    }

    /// The favorite with the ID of the joke; nil if the snapshot has none.
    func favorite(of joke: JokeID) -> Favorite? { snapshot?.item(for: .favorite(joke))?.favorite }
}

// The lines of the list on the screen. The anchor is a row, so that rows above the screen need no layout: each step
// costs O(screen).

extension Model {
    /// The rows on the screen, each with all of its lines.
    var shownRows: [(id: RowID, lines: [Line])] {
        var shown: [(id: RowID, lines: [Line])] = []
        var room = listHeight + (top?.line ?? 0)
        var row = top?.row
        while let current = row, room > 0 {
            let lines = lines(of: current)
            shown.append((current, lines))
            room -= lines.count
            row = rows.row(after: current)
        }
        return shown
    }

    /// The lines of a row. Those for an empty section belong to the last row, its header.
    func height(of row: RowID) -> Int {
        let count = lines(of: row).count
        if case .header = row, row == rows.last { return count + emptyLines.count }
        return count
    }

    /// The line of the screen where the row begins, negative above the screen; nil if it is a screen or more away.
    func screenLine(of row: RowID) -> Int? {
        guard let top, let first = rows.position(of: top.row), let position = rows.position(of: row),
            first <= position, first.section < position.section || position.item - first.item < listHeight
        else { return nil }
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

    func isAboveScreen(_ row: RowID) -> Bool {
        guard let start = top.flatMap({ rows.position(of: $0.row) }) else { return true }
        return rows.position(of: row).map { $0 < start } ?? true
    }

    /// Scrolls so that the row begins at the line, or closer to the top if there are too few rows above it.
    mutating func place(_ row: RowID, at line: Int) {
        top = anchor(Anchor(row: row, line: 0), movedBy: -line)
        fill()
    }

    /// Fills empty lines below the last row if there are rows above the screen.
    mutating func fill() {
        guard let top, rows.numberOfRows(after: top.row) < listHeight, let last = rows.last else { return }
        let lowest = anchor(Anchor(row: last, line: height(of: last)), movedBy: -listHeight)
        guard let start = rows.position(of: top.row), let end = rows.position(of: lowest.row),
            (start, top.line) <= (end, lowest.line)
        else {
            self.top = lowest
            return
        }
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
    func row(atScreenLine line: Int) -> RowID? { top.map { anchor($0, movedBy: line).row } }

    /// Toggles wrapping, with the cursor on the same line of the screen.
    mutating func toggleWrapping() {
        let line = cursor.flatMap { screenLine(of: $0) }
        wrapsRows.toggle()
        notice = Notice(
            text: wrapsRows ? "Line wrapping on" : "Line wrapping off; \(keys.name(of: .wrap)) turns it on")
        if let cursor, let line { place(cursor, at: line) }
        showCursor()
    }
}
