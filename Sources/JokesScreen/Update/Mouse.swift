import JokesCore
import Terminal

/// A click, which may be the first half of a double click.
package struct Click: Hashable, Sendable {
    var row: RowID
    /// The clicked line of the screen: new jokes may move another row there.
    var line: Int
    var at: Timestamp

    /// The maximum time of a double click.
    static let longestPause = Duration.milliseconds(500)

    func makesDouble(with next: Click) -> Bool {
        (row == next.row || line == next.line) && next.at < at.advanced(by: Self.longestPause)
    }
}

extension Model {
    mutating func take(_ mouse: MouseEvent) -> [Effect] {
        notice = nil
        switch mouse.kind {
        case .wheelUp: turnWheel(by: -linesPerNotch, at: mouse.position)
        case .wheelDown:
            turnWheel(by: linesPerNotch, at: mouse.position)
            if page == nil, isInList(mouse.position) { return goOnFromEndShown() }
        case .click: return click(at: mouse.position)
        }
        return []
    }

    /// Loads more if the end of the list is on the screen. The cursor stays.
    private mutating func goOnFromEndShown() -> [Effect] {
        guard let last = rows.last, case .more(let section) = last, screenLine(of: last) != nil else { return [] }
        return goOn(behind: section)
    }

    private func isInList(_ position: Position) -> Bool {
        position.column < listWidth && position.row < listHeight
    }

    private mutating func turnWheel(by lines: Int, at position: Position) {
        if page != nil { return scrollPage(by: lines) }
        if !isInList(position), layout.details != nil { return scrollDetails(by: lines) }
        guard let top, let cursor else { return }
        wish = nil
        self.top = anchor(top, movedBy: lines)
        fill()
        self.cursor = nearestOnScreen(to: cursor)
    }

    /// The row itself if it begins on the screen, else the first or last row that does.
    private func nearestOnScreen(to row: RowID) -> RowID {
        if screenLine(of: row).map({ $0 >= 0 }) == true { return row }
        guard let top, let place = rows.position(of: row), let start = rows.position(of: top.row) else { return row }
        let edge = place <= start ? self.row(atScreenLine: 0) : self.row(atScreenLine: listHeight - 1)
        guard var edge else { return row }
        if edge == top.row, top.line > 0, let next = rows.row(after: edge), screenLine(of: next) != nil { edge = next }
        return edge
    }

    /// Selects the row. A double click toggles the punchline or the section.
    private mutating func click(at position: Position) -> [Effect] {
        guard page == nil, isInList(position), let row = rowShown(atScreenLine: position.row) else { return [] }
        let click = Click(row: row, line: position.row, at: clock.now)
        let first = lastClick.flatMap { $0.makesDouble(with: click) && rows.contains($0.row) ? $0 : nil }
        cursor = first?.row ?? row
        wish = nil
        lastClick = first == nil ? click : nil
        if first != nil { return perform(.reveal) }
        showCursor()
        return goOn()
    }

    /// The row at a line of the screen; nil below the last row.
    private func rowShown(atScreenLine line: Int) -> RowID? {
        guard let row = row(atScreenLine: line), let start = screenLine(of: row) else { return nil }
        return line < start + lines(of: row).count ? row : nil
    }
}

/// The lines of one step of the wheel.
private let linesPerNotch = 3
