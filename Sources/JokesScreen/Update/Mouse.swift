import JokesCore
import Terminal
import TextLayout

/// A click on a row, which may be the first half of a double click.
struct Click: Hashable, Sendable {
    /// The row of the list; nil on a page.
    let row: RowID?
    /// The clicked line of the screen: new jokes may move another row there.
    let line: Int
    let time: Timestamp

    /// True if both clicks make a double click.
    func isFirst(of next: Click) -> Bool {
        (row != nil && row == next.row || line == next.line) && next.time < time.advanced(by: .milliseconds(500))
    }
}

extension Model {
    mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        let target = mouse.kind == .click ? target(at: mouse.position) : nil
        notice = nil
        dropSteps()
        if let target { return select(target) }
        // A step of the wheel is three lines.
        switch mouse.kind {
        case .wheelUp: scrollWheel(by: -3, at: mouse.position)
        case .wheelDown: scrollWheel(by: 3, at: mouse.position)
        case .click: return page == nil ? click(at: mouse.position) : clickOnPage(at: mouse.position)
        }
        return []
    }

    /// What a click on the first or last line shows or presses.
    private enum Target {
        case keys([Key])
        case tab(Tab)
    }

    private func target(at position: Position) -> Target? {
        if position.row == size.rows - 1, showsKeyLine {
            let hint = placedHints.last { $0.column <= position.column }
            return hint.flatMap { position.column < $0.column + $0.hint.line.columns ? .keys($0.hint.keys) : nil }
        }
        let column = position.column - (layout.isFramed ? 2 : 1)
        guard position.row == 0, layout.hasHeader else { return nil }
        return placedTabs.first { $0.columns.contains(column) }.map { .tab($0.tab) }
    }

    private mutating func select(_ target: Target) -> [Effect] {
        switch target {
        case .keys(let keys): return keys.flatMap { press($0) }
        case .tab(let tab):
            if let action = tab.action { return tab.isShown ? [] : act(action) }
            pages = []
            guard let section = tab.section else { return [] }
            place(rows.firstRow(of: section), at: 0)
            go(to: folded.contains(section) ? .header(section) : rows.firstItem(of: section))
            return []
        }
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
        guard isInList(position), let row = rowShown(atScreenLine: position.row - layout.origin.row) else {
            return []
        }
        let click = Click(row: row, line: position.row, time: clock.now)
        let first = lastClick.flatMap { $0.isFirst(of: click) && $0.row.map(rows.contains) == true ? $0 : nil }
        cursor = first?.row ?? row
        lastClick = first == nil ? click : nil
        if first != nil { return perform(.reveal) }
        showCursor()
        return []
    }

    /// Selects the row of the page. A double click opens the row; in a popup, a click does. A click beside a popup closes it.
    private mutating func clickOnPage(at position: Position) -> [Effect] {
        guard let kind = page?.kind else { return [] }
        let (origin, columns) = (origin(of: kind), columns(of: kind))
        guard (origin.column..<origin.column + columns).contains(position.column),
            (origin.row..<origin.row + height(of: kind)).contains(position.row)
        else {
            if isPopup(kind) { closePage() }
            return []
        }
        guard let row = pageRow(atScreenLine: position.row - origin.row) else { return [] }
        pages[pages.count - 1].selected = row
        let click = Click(row: nil, line: position.row, time: clock.now)
        let isSecond = lastClick?.isFirst(of: click) ?? false
        lastClick = isSecond ? nil : click
        return isSecond || isPopup(kind) ? performOnPage(.open) : []
    }

    /// The row at a line of the screen; nil below the last row.
    private func rowShown(atScreenLine line: Int) -> RowID? {
        guard let row = row(atScreenLine: line), let start = screenLine(of: row) else { return nil }
        return line < start + lines(of: row).count ? row : nil
    }
}
