import Diffable
import JokesCore
import Terminal
import TextLayout

/// The loaded part of the jokes or of the search results.
package struct Window: Hashable, Sendable {
    /// The number of jokes before the first one. The daemon reduces a start beyond the end of the list.
    package var start: Int
    package var size: Int
}

/// An end of the list.
package enum ListEnd: Hashable, Sendable {
    case first, last
}

extension Model {
    /// The number of jokes in a window. No key waits for jokes if the daemon answers before the next key. A window also has
    /// the screen before a page that reached the end of the last window: `repeatWaitingMoves` begins there.
    package var windowSize: Int { min(View.maxSize, max(minWindow, 4 * listHeight)) }

    /// True until the results of a new query come.
    var isSearching: Bool { isAwaitingSnapshot && search?.window == nil }

    /// The section of the window.
    var listed: Section.ID { search?.activeQuery == nil ? .jokes : .searchResults }

    /// Requests the current view, unless it was requested.
    mutating func watch() -> [Effect] {
        let query = search?.activeQuery
        // Another selection has other jokes.
        if selection != watched.selection {
            jokesWindow = nil
            search?.window = nil
        }
        let window = query == nil ? jokesWindow : search?.window
        let wanted = View(query: query, selection: selection, size: window?.size, start: max(0, window?.start ?? 0))
        guard wanted != watched else { return [] }
        if wanted.query != watched.query || wanted.selection != watched.selection {
            cancelJump()
            waitingMoves = nil
        }
        watched = wanted
        isAwaitingSnapshot = true
        return [.send(.watch(wanted))]
    }

    /// Requests another window if the cursor is close to an end of the loaded one, or comes close to the list from
    /// above. Called after each message.
    mutating func followCursor() -> [Effect] {
        defer { if link != .live || !isAwaitingSnapshot { waitingMoves = nil } }
        guard link == .live else { return [] }
        if let distance = rowsAboveList, distance < windowSize, jump != .first { jumpTo(.first) }
        guard !isAwaitingSnapshot, let start = wantedStart else { return [] }
        let effects = watch(from: start)
        // The daemon has no other window.
        if effects.isEmpty { cancelJump() }
        return effects
    }

    private mutating func watch(from start: Int) -> [Effect] {
        let window = Window(start: max(0, start), size: windowSize)
        if search?.activeQuery == nil { jokesWindow = window } else { search?.window = window }
        return watch()
    }

    /// The number of rows between the cursor and the header of the list, in the section of the cursor. Nil unless jokes that
    /// are not loaded are between the cursor and the window.
    private var rowsAboveList: Int? {
        guard rows.numberAbove(listed) > 0, let cursor, let section = rows.section(of: cursor) else { return nil }
        if section == listed { return cursor == .header(listed) ? 0 : nil }
        return rows.numberOfRows(after: cursor)
    }

    /// The start of the window to load; nil if the loaded one is right.
    private var wantedStart: Int? {
        switch jump {
        case .first: return 0
        case .last: return .max
        case nil: break
        }
        guard let cursor, snapshot?.containsSection(listed) == true, !folded.contains(listed), rowsAboveList == nil
        else { return nil }
        let rows = rows
        let isListed = rows.section(of: cursor) == listed
        let number = max(0, isListed ? rows.number(of: cursor) ?? 0 : 0)
        let (start, count) = (rows.numberAbove(listed), rows.numberOfJokes(in: listed))
        let margin = max(min(count, windowSize) / 3, listHeight)
        let isNearStart = start > 0 && number - start < margin
        let isNearEnd = rows.numberOfMore(in: listed) > 0 && number - start >= count - margin
        return isNearStart || isNearEnd ? max(0, number - windowSize / 2) : nil
    }

    // MARK: The ends of the list

    /// Moves to the last row of the list, which may not be loaded.
    mutating func goToLast() {
        if link == .live, jump == .first || rows.last == .more(listed) { jumpTo(.last) }
        go(to: rows.last)
    }

    /// Moves to the first joke of the list, which may not be loaded.
    mutating func goToFirstJoke() {
        if link == .live, jump == .last || rows.numberAbove(listed) > 0 { jumpTo(.first) }
        go(to: rows.firstItem(of: listed))
    }

    /// Shows a loading row in place of the window until the window at that end comes.
    mutating func jumpTo(_ end: ListEnd) {
        jump = end
        showSnapshot()
    }

    /// Shows the loaded window again, because no other one comes.
    mutating func cancelJump() {
        guard jump != nil else { return }
        jump = nil
        showSnapshot()
    }

    /// The snapshot with a loading row in place of the window, at an end of the list.
    func snapshot(_ shown: JokeSnapshot, jumpingTo end: ListEnd) -> JokeSnapshot {
        var jumped = shown
        guard let header = shown.section(for: listed) else { return shown }
        do throws(DiffableError) {
            try jumped.deleteItems(shown.itemIdentifiers(inSection: listed))
            try jumped.appendItems([.loading(0)], toSection: listed)
            try jumped.replaceSection(header.startingAt(end))
        } catch {
            // The section exists, and its loading rows are deleted.
            return shown
        }
        return jumped
    }

    // MARK: New snapshots

    /// Returns the request for a window with the cursor if a new snapshot of the same list lacks it: the cursor has moved
    /// since the request, or new jokes at the top have pushed its joke out of the window. Otherwise nil.
    mutating func keepCursor(in new: JokeSnapshot) -> [Effect]? {
        let rows = rows
        guard expectedRow == nil, jump == nil, watched.selection == shownSelection, let cursor,
            cursor != .header(listed), rows.section(of: cursor) == listed,
            let before = rows.snapshot.section(for: listed), let after = new.section(for: listed),
            before.isSameList(as: after)
        else { return nil }
        let edge: RowID? =
            switch cursor {
            case .above: rows.firstItem(of: listed)
            case .more: rows.lastItem(of: listed)
            case .item, .header: cursor
            }
        guard case .item(let item) = edge, item.joke != nil, !new.contains(item),
            let number = rows.number(of: .item(item))
        else { return nil }
        let others = Rows(snapshot: new, folded: [])
        let start = others.numberAbove(listed)
        // The whole list lacks it.
        if start == 0 && others.numberOfMore(in: listed) == 0 { return nil }
        let growth = before.growth(to: after)
        let isCovered = start..<start + others.numberOfJokes(in: listed) ~= number
        if growth == 0 && isCovered { return nil }
        let effects = watch(from: number + growth - windowSize / 2)
        return effects.isEmpty ? nil : effects
    }

    /// Moves the cursor to the first joke if the snapshot of another selection has no joke of the old one.
    mutating func startOver(after old: JokeSnapshot) {
        guard let cursor, cursor != .header(listed), rows.section(of: cursor) == listed,
            let first = rows.firstItem(of: listed)
        else { return }
        let items = rows.snapshot.itemIdentifiers(inSection: listed)
        if items.contains(where: { $0.joke != nil && old.contains($0) }) { return }
        self.cursor = first
        showCursor()
    }

    /// Ends a jump if the window at that end has come. Returns the row for the cursor, or nil if the cursor was not on a row
    /// in place of the window.
    mutating func endJump(with new: JokeSnapshot) -> RowID? {
        let rows = Rows(snapshot: new, folded: folded)
        let end = jump
        switch end {
        case .first where rows.numberAbove(listed) == 0, .last where rows.numberOfMore(in: listed) == 0: jump = nil
        default: return nil
        }
        guard let cursor, cursor != .header(listed), self.rows.section(of: cursor) == listed else { return nil }
        return end == .first ? rows.firstItem(of: listed) : rows.last
    }

    // MARK: Rows for jokes that are not loaded

    /// The row after the last joke that is loaded.
    func moreLine(of section: Section.ID) -> Line {
        unloadedLine(.more(section), "\(rows.numberOfMore(in: section)) more", hint: "scroll down to load")
    }

    /// The row before the first joke that is loaded.
    func aboveLine(of section: Section.ID) -> Line {
        unloadedLine(.above(section), "\(rows.numberAbove(section)) above", hint: "scroll up to load")
    }

    private func unloadedLine(_ row: RowID, _ words: String, hint: String) -> Line {
        let isNeeded = cursor == row || waitingMoves != nil
        let rest = link == .live ? hint : "not connected"
        let words = isAwaitingSnapshot && isNeeded ? ["Loading more\u{2026}"] : ["\(words); \(rest)", words]
        return Line("  \u{2026} ", .muted) + Line(fitting([words], in: listWidth - 4), .muted)
    }
}

extension Section {
    /// The number of jokes or of results, also of those that are not loaded; 0 for other sections.
    fileprivate var jokeCount: Int {
        switch self {
        case .jokes(let header): header.shown
        case .searchResults(_, let count, _, _): count
        case .favoriteJokes, .unknown: 0
        }
    }

    /// The number of jokes or results that were added; 0 if a number is not exact.
    fileprivate func growth(to later: Section) -> Int {
        for case .searchResults(_, _, isExact: false, _) in [self, later] { return 0 }
        return max(0, later.jokeCount - jokeCount)
    }

    /// True unless both are results of different queries.
    fileprivate func isSameList(as other: Section) -> Bool {
        guard case .searchResults(let query, _, _, _) = self, case .searchResults(let otherQuery, _, _, _) = other
        else {
            return true
        }
        return query == otherQuery
    }

    /// The header with a start at the first or the last joke.
    fileprivate func startingAt(_ end: ListEnd) -> Section {
        let start = end == .first ? 0 : max(1, jokeCount)
        switch self {
        case .jokes(var header):
            header.start = start
            return .jokes(header)
        case .searchResults(let query, let count, let isExact, _):
            return .searchResults(query: query, count: count, isExact: isExact, start: start)
        case .favoriteJokes, .unknown: return self
        }
    }
}
