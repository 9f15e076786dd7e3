import JokesCore
import Terminal

/// A click, which may be the first half of a double click.
package struct Click: Hashable, Sendable {
    let row: RowID
    /// The clicked line of the screen: new jokes may move another row there.
    let line: Int
    let time: Timestamp

    /// True if both clicks make a double click.
    func isFirst(of next: Click) -> Bool {
        (row == next.row || line == next.line) && isDoubleClick(time, next.time)
    }
}

/// A click on a row of a page, which may be the first half of a double click.
package struct PageClick: Hashable, Sendable {
    let page: Page.Kind
    let row: Int
    let time: Timestamp

    func isFirst(of next: PageClick) -> Bool {
        page == next.page && row == next.row && isDoubleClick(time, next.time)
    }
}

private func isDoubleClick(_ first: Timestamp, _ second: Timestamp) -> Bool {
    second < first.advanced(by: .milliseconds(500))
}

extension Model {
    mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        notice = nil
        if isJumping { loading = .loading }
        // A step of the wheel is three lines.
        switch mouse.kind {
        case .wheelUp: scrollWheel(by: -3, at: mouse.position)
        case .wheelDown: scrollWheel(by: 3, at: mouse.position)
        case .click: return click(at: mouse.position)
        }
        return []
    }

    private func isInList(_ position: Position) -> Bool {
        let (column, row) = (position.column - layout.origin.column, position.row - layout.origin.row)
        return (0..<listWidth).contains(column) && (0..<listHeight).contains(row)
    }

    private mutating func scrollWheel(by lines: Int, at position: Position) {
        if page != nil { return scrollPage(by: lines) }
        if !isInList(position), layout.details != nil { return scrollDetails(by: lines) }
        scrollList(by: lines)
    }

    /// The row itself if it begins on the screen, else the first or last row that does.
    func nearestOnScreen(to row: RowID) -> RowID {
        if let line = screenLine(of: row), line >= 0 { return row }
        let isAbove = row == top?.row || isAboveScreen(row)
        guard let top, let edge = self.row(atScreenLine: isAbove ? 0 : listHeight - 1) else { return row }
        if edge == top.row, top.line > 0, let next = rows.row(after: edge), screenLine(of: next) != nil { return next }
        return edge
    }

    /// Selects the row. A double click toggles the punchline or the section.
    private mutating func click(at position: Position) -> [Effect] {
        if page != nil { return clickOnPage(at: position) }
        guard isInList(position), let row = rowShown(atScreenLine: position.row - layout.origin.row) else {
            return []
        }
        let click = Click(row: row, line: position.row, time: clock.now)
        let first = lastClick.flatMap { $0.isFirst(of: click) && rows.contains($0.row) ? $0 : nil }
        cursor = first?.row ?? row
        expectedRow = nil
        lastClick = first == nil ? click : nil
        if first != nil { return perform(.reveal) }
        showCursor()
        return []
    }

    /// Selects the row of the page. A double click opens the row.
    private mutating func clickOnPage(at position: Position) -> [Effect] {
        guard let kind = page?.kind, let row = selectOnPage(atScreenLine: position.row - layout.origin.row) else {
            return []
        }
        let click = PageClick(page: kind, row: row, time: clock.now)
        let isSecond = lastPageClick.map { $0.isFirst(of: click) } ?? false
        lastPageClick = isSecond ? nil : click
        return isSecond ? performOnPage(.open) : []
    }

    /// The row at a line of the screen; nil below the last row.
    private func rowShown(atScreenLine line: Int) -> RowID? {
        guard let row = row(atScreenLine: line), let start = screenLine(of: row) else { return nil }
        return line < start + lines(of: row).count ? row : nil
    }
}
