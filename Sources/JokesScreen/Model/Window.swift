import Diffable
import JokesCore
import Terminal

/// The steps that wait, and what they wait for. Then they are taken in order.
struct Waiting: Hashable, Sendable {
    enum Awaited: Hashable, Sendable {
        /// The jokes that the first step needs.
        case jokes
        /// The answer to a change. Snapshots are not shown before it.
        case answer(Request)
        /// A snapshot after an accepted change.
        case change
        /// The hidden jokes, if their page is open. The snapshot is shown.
        case hiddenJokes
    }

    enum Step: Hashable, Sendable {
        case key(Key)
        case paste(String)
        case action(Action, count: Int? = nil)
        case find(RowSearch)
    }

    var awaited: Awaited
    var steps: [Step] = []
}

extension Model {
    /// The number of jokes in a window: more than two screens on both sides of the cursor. No page waits for jokes if the
    /// daemon answers before the next key.
    var windowSize: Int { min(View.maxSize, max(minWindow, 6 * listHeight)) }

    /// True if the snapshot of another view or window is due. Keys are for the shown one.
    var isAwaitingSnapshot: Bool { watched != shownView }

    var isJumping: Bool { waiting?.awaited == .jokes }

    /// True until the results of a new query come.
    var isSearching: Bool { search != nil && !isListWatched }

    /// The section of the window.
    var listed: Section.ID { search?.activeQuery == nil ? .jokes : .searchResults }

    /// False while the list of another selection or query is loading.
    private var isListWatched: Bool { watched.query == shownView?.query && watched.selection == shownView?.selection }

    /// Requests the list of the search and the filters, unless it was requested. A search ends where it began in the list.
    mutating func watch() -> [Effect] {
        let list = View(query: search?.activeQuery, selection: selection)
        if list.query == watched.query, list.selection == watched.selection { return [] }
        return watch(list.query == nil && listView.selection == selection ? listView : list)
    }

    private mutating func watch(_ view: View) -> [Effect] {
        guard view != watched else { return [] }
        watched = view
        if view.query == nil { listView = view }
        return [.send(.watch(view))]
    }

    /// The list from a number of jokes before its first row. The daemon reduces a start beyond the end of the list.
    private func window(from start: Int, size: Int) -> View {
        View(query: search?.activeQuery, selection: selection, size: size, start: max(0, start))
    }

    /// The window with the joke of this number in its middle.
    func window(around number: Int) -> View { window(from: number - windowSize / 2, size: windowSize) }

    /// The window for moves from the cursor that do not wait for the daemon: most of it is in their direction.
    func window(isForward: Bool) -> View {
        let size = min(View.maxSize, 3 * windowSize)
        return window(from: numberOfCursor - (isForward ? windowSize / 2 : size - windowSize / 2), size: size)
    }

    // MARK: Before a key needs them

    /// Requests another window if the cursor is close to an end of the loaded one, or comes close to the list from
    /// above. Called after each message.
    mutating func followCursor() -> [Effect] {
        guard link == .live, waiting == nil, !isAwaitingSnapshot, let window = wantedWindow else { return [] }
        return watch(window)
    }

    /// The window to load; nil if the loaded one is right.
    private var wantedWindow: View? {
        let rows = rows
        guard let cursor, snapshot?.containsSection(listed) == true, !folded.contains(listed) else { return nil }
        let loaded = rows.numbers(in: listed)
        let isListed = rows.section(of: cursor) == listed
        if loaded.lowerBound > 0, !isListed || cursor == .header(listed) {
            let distance = isListed ? 0 : rows.numberOfRows(after: cursor)
            return distance < windowSize ? window(around: 0) : nil
        }
        let number = numberOfCursor
        let margin = max(min(loaded.count, windowSize) / 3, 2 * listHeight)
        let isNearStart = loaded.lowerBound > 0 && number - loaded.lowerBound < margin
        let isNearEnd = rows.numberOfMore(in: listed) > 0 && number >= loaded.upperBound - margin
        return isNearStart || isNearEnd ? window(around: number) : nil
    }

    /// The number of jokes of the list before the cursor; negative above the first one.
    var numberOfCursor: Int {
        guard let cursor, rows.section(of: cursor) == listed else { return 0 }
        return rows.number(of: cursor) ?? 0
    }

    // MARK: When a key needs them

    /// Requests another window for a step. Nil if the step can be taken at once, because no other window comes.
    mutating func jump(to window: View, then step: Waiting.Step) -> [Effect]? {
        guard link == .live, isListWatched else { return nil }
        let request = watch(window)
        guard isAwaitingSnapshot else { return nil }
        waiting = Waiting(awaited: .jokes, steps: [step])
        return request
    }

    /// Takes the steps that wait if what they wait for has come.
    mutating func resume() -> [Effect] {
        guard let waiting, waiting.awaited == .hiddenJokes, !isOpen(.hidden) || !hidden.request.isOpen else {
            return []
        }
        self.waiting = nil
        return take(waiting.steps)
    }

    /// Takes steps until one of them lets the others wait.
    mutating func take(_ steps: [Waiting.Step]) -> [Effect] {
        var effects: [Effect] = []
        for (number, step) in steps.enumerated() {
            switch step {
            case .key(let key): effects += press(key)
            case .paste(let text): effects += paste(text)
            case .action(let action, let count): effects += act(action, count: count)
            case .find(let search): effects += find(search)
            }
            if waiting == nil { continue }
            waiting?.steps += steps.dropFirst(number + 1)
            break
        }
        return effects
    }

    /// Returns the window that an action needs but that is not loaded; nil if the loaded one is enough. `moved` is the
    /// model after the action.
    func missingWindow(for action: Action, leadingTo moved: Model) -> View? {
        guard isListShown, moved.isListShown, !moved.folded.contains(listed) else { return nil }
        let rows = moved.rows
        let hasAbove = rows.numberAbove(listed) > 0
        if hasAbove, moved.screenLine(of: .header(listed)) != nil { return window(around: 0) }
        let isForward = [.down, .halfPageDown, .pageDown, .scrollDown].contains(action)
        let isBackward = [.up, .halfPageUp, .pageUp, .scrollUp].contains(action)
        let edge =
            isForward && rows.numberOfMore(in: listed) > 0
            ? rows.lastItem(of: listed) : isBackward && hasAbove ? rows.firstItem(of: listed) : nil
        guard let edge else { return nil }
        let isShort =
            action == .down || action == .up
            ? cursor == edge && moved.cursor == edge && top == moved.top : moved.screenLine(of: edge) != nil
        return isShort ? window(isForward: isForward) : nil
    }

    /// Moves to the joke with this number, from 1, or to the last row. It may not be loaded.
    mutating func go(to number: Int) -> [Effect] {
        let loaded = rows.numbers(in: listed)
        let isLoaded = number > loaded.lowerBound && (number <= loaded.upperBound || rows.numberOfMore(in: listed) == 0)
        if !isLoaded, !folded.contains(listed),
            let request = jump(to: window(around: number), then: .action(.last, count: number))
        {
            return request
        }
        go(to: rows.item(number - 1, in: listed) ?? rows.last)
        return []
    }

    // MARK: New snapshots

    /// Returns the request for a window with the cursor if a new snapshot of the same list lacks it: the cursor has moved
    /// since the request, or new jokes at the top have pushed its joke out of the window. Otherwise nil. A key that goes to
    /// a joke by its number leads to a window that need not have the cursor; the other keys move from the cursor.
    mutating func keepCursor(in new: JokeSnapshot) -> [Effect]? {
        let numberInWindow = numberOfCursor - watched.start
        let isNeeded = !isJumping || numberInWindow >= 0 && numberInWindow < watched.size ?? 0
        guard isNeeded, expectedRow == nil, isListWatched, let cursor, case .item(let item) = cursor,
            item.joke != nil, !new.contains(item), rows.section(of: cursor) == listed,
            let before = snapshot?.section(for: listed), let after = new.section(for: listed)
        else { return nil }
        let others = Rows(snapshot: new, folded: [])
        let loaded = others.numbers(in: listed)
        // The whole list lacks it.
        if loaded.lowerBound == 0 && others.numberOfMore(in: listed) == 0 { return nil }
        let growth = max(0, after.jokeCount - before.jokeCount)
        if growth == 0 && loaded.contains(numberOfCursor) { return nil }
        let effects = watch(window(around: numberOfCursor + growth))
        return effects.isEmpty ? nil : effects
    }
}

extension Section {
    /// The number of jokes in words, for example `12+` for at least twelve.
    var countWords: String {
        if case .searchResults(_, let count, isExact: false, _) = self { "\(count)+" } else { "\(jokeCount)" }
    }

    /// The number of jokes or of results, also of those that are not loaded; 0 for other sections.
    var jokeCount: Int {
        switch self {
        case .jokes(let header): header.shown
        case .searchResults(_, let count, _, _), .favoriteJokes(let count): count
        case .unknown: 0
        }
    }
}
