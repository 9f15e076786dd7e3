import Diffable
import JokesCore
package import Terminal

/// The loaded part of the jokes or of the search results.
package struct Window: Hashable, Sendable {
    /// The number of jokes before the first one. The daemon reduces a start beyond the end of the list.
    package var start: Int
    package var size: Int
}

/// The state of the request for the jokes of the list.
package enum Loading: Hashable, Sendable {
    /// The snapshot is that of `Model.watched`.
    case settled
    /// A snapshot is due. Keys are for the shown one.
    case loading
    /// A key needs jokes that are not loaded. When their window comes, these steps are taken in order.
    case jumping(to: ListPlace, [Step])

    /// A step that waits.
    package enum Step: Hashable, Sendable {
        case key(Key)
        case action(Action)
        case go(to: ListPlace)
        case found(isForward: Bool)
        case unseen(UnseenSearch)
    }
}

/// A place of the list for a window.
package enum ListPlace: Hashable, Sendable {
    case first, cursor, last
    /// The joke with this number, from 1.
    case number(Int)
}

extension Model {
    /// The number of jokes in a window: more than two screens on both sides of the cursor. No page waits for jokes if the
    /// daemon answers before the next key.
    package var windowSize: Int { min(View.maxSize, max(minWindow, 6 * listHeight)) }

    var isAwaitingSnapshot: Bool { loading != .settled }

    var isJumping: Bool { if case .jumping = loading { true } else { false } }

    /// True until the results of a new query come.
    var isSearching: Bool { isAwaitingSnapshot && search?.window == nil }

    /// The section of the window.
    var listed: Section.ID { search?.activeQuery == nil ? .jokes : .searchResults }

    /// False while the list of another selection or query is loading.
    private var isListWatched: Bool {
        guard watched.selection == shownSelection else { return false }
        guard case .searchResults(let query, _, _, _) = snapshot?.section(for: .searchResults) else {
            return watched.query == nil && snapshot?.containsSection(.jokes) == true
        }
        return watched.query == query
    }

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
        watched = wanted
        if !isJumping { loading = .loading }
        return [.send(.watch(wanted))]
    }

    private mutating func watch(from start: Int) -> [Effect] {
        let window = Window(start: max(0, start), size: windowSize)
        if search?.activeQuery == nil { jokesWindow = window } else { search?.window = window }
        return watch()
    }

    // MARK: Before a key needs them

    /// Requests another window if the cursor is close to an end of the loaded one, or comes close to the list from
    /// above. Called after each message.
    mutating func followCursor() -> [Effect] {
        guard link == .live, loading == .settled, let start = wantedStart else { return [] }
        return watch(from: start)
    }

    /// The start of the window to load; nil if the loaded one is right.
    private var wantedStart: Int? {
        let rows = rows
        guard let cursor, snapshot?.containsSection(listed) == true, !folded.contains(listed) else { return nil }
        let (start, count) = (rows.numberAbove(listed), rows.numberOfJokes(in: listed))
        let isListed = rows.section(of: cursor) == listed
        if start > 0, !isListed || cursor == .header(listed) {
            let distance = isListed ? 0 : rows.numberOfRows(after: cursor)
            return distance < windowSize ? 0 : nil
        }
        let number = numberOfCursor
        let margin = max(min(count, windowSize) / 3, 2 * listHeight)
        let isNearStart = start > 0 && number - start < margin
        let isNearEnd = rows.numberOfMore(in: listed) > 0 && number - start >= count - margin
        return isNearStart || isNearEnd ? number - windowSize / 2 : nil
    }

    /// The number of jokes of the list before the cursor.
    private var numberOfCursor: Int {
        guard let cursor, rows.section(of: cursor) == listed else { return 0 }
        return max(0, rows.number(of: cursor) ?? 0)
    }

    // MARK: When a key needs them

    /// Requests another window for a step. Nil if the step can be taken at once, because no other window comes.
    mutating func jump(to place: ListPlace, then step: Loading.Step) -> [Effect]? {
        guard link == .live, isListWatched else { return nil }
        let request: [Effect] =
            switch place {
            case .first: watch(from: 0)
            case .cursor: watch(from: numberOfCursor - windowSize / 2)
            case .last: watch(from: .max)
            case .number(let number): watch(from: number - windowSize / 2)
            }
        guard isAwaitingSnapshot else { return nil }
        loading = .jumping(to: place, [step])
        return request
    }

    /// Takes the steps that waited, until one of them waits again.
    mutating func take(_ steps: [Loading.Step]) -> [Effect] {
        var effects: [Effect] = []
        for (number, step) in steps.enumerated() {
            switch step {
            case .key(let key): effects += press(key)
            case .action(let action): effects += act(action)
            case .go(let place): effects += go(to: place)
            case .found(let isForward): effects += goToFound(isForward: isForward)
            case .unseen(let search): effects += seek(search)
            }
            guard case .jumping(let place, let first) = loading else { continue }
            loading = .jumping(to: place, first + steps.dropFirst(number + 1))
            break
        }
        return effects
    }

    /// The place of the window that an action needs; nil if it needs none. `moved` is the model after it with the jokes that
    /// are loaded.
    func missingPlace(for action: Action, leadingTo moved: Model) -> ListPlace? {
        guard page == nil, moved.page == nil, link == .live, isListWatched, !moved.folded.contains(listed) else {
            return nil
        }
        let rows = moved.rows
        let hasAbove = rows.numberAbove(listed) > 0
        if hasAbove, moved.screenLine(of: .header(listed)) != nil { return .first }
        let isForward = [.down, .halfPageDown, .pageDown, .scrollDown].contains(action)
        let isBackward = [.up, .halfPageUp, .pageUp, .scrollUp].contains(action)
        let edge =
            isForward && rows.numberOfMore(in: listed) > 0
            ? rows.lastItem(of: listed) : isBackward && hasAbove ? rows.firstItem(of: listed) : nil
        guard let edge else { return nil }
        let isShort =
            action == .down || action == .up
            ? cursor == edge && moved.cursor == edge && top == moved.top : moved.screenLine(of: edge) != nil
        return isShort ? .cursor : nil
    }

    /// Moves to a joke of the list, or to its last row. It may not be loaded.
    mutating func go(to place: ListPlace) -> [Effect] {
        if case .number = place { folded.remove(listed) }
        let rows = rows
        let (above, more) = (rows.numberAbove(listed), rows.numberOfMore(in: listed))
        let (row, isLoaded): (RowID?, Bool) =
            switch place {
            case .first: (rows.firstItem(of: listed), above == 0)
            case .cursor: (cursor, true)
            case .last: (rows.last, more == 0 || folded.contains(listed))
            case .number(let number):
                (
                    rows.item(number - 1, in: listed),
                    number > above && (number <= above + rows.numberOfJokes(in: listed) || more == 0)
                )
            }
        if !isLoaded, let request = jump(to: place, then: .go(to: place)) { return request }
        go(to: row)
        return []
    }

    // MARK: New snapshots

    /// Returns the request for a window with the cursor if a new snapshot of the same list lacks it: the cursor has moved
    /// since the request, or new jokes at the top have pushed its joke out of the window. Otherwise nil.
    mutating func keepCursor(in new: JokeSnapshot) -> [Effect]? {
        let rows = rows
        if case .jumping(let place, _) = loading, place != .cursor { return nil }
        guard expectedRow == nil, watched.selection == shownSelection, let cursor,
            case .item(let item) = cursor, item.joke != nil, !new.contains(item),
            rows.section(of: cursor) == listed, let number = rows.number(of: cursor),
            let before = rows.snapshot.section(for: listed), let after = new.section(for: listed),
            before.isSameList(as: after)
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
}

extension Section {
    /// The number of jokes or of results, also of those that are not loaded; 0 for other sections.
    var jokeCount: Int {
        switch self {
        case .jokes(let header): header.shown
        case .searchResults(_, let count, _, _), .favoriteJokes(let count): count
        case .unknown: 0
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
}
