package import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// The hidden jokes that the page has loaded.
package struct HiddenJokes: Hashable, Sendable {
    /// The most recently hidden first; nil before the first answer.
    package internal(set) var rows: [HiddenJoke]?
    /// The number of all hidden jokes that are cached.
    package internal(set) var total = 0
    /// The number of hidden marks whose jokes are not cached, or excluded by the filter of the configuration.
    package internal(set) var notCached = 0
    package internal(set) var revealed: Set<JokeID> = []
    /// The request of one page of jokes, or of all pages that a reload keeps.
    var request = PageRequest()
    /// The cursor of the page of jokes after `rows`; nil if there are no more.
    var next: String?
    /// The rows of the pages so far that will replace `rows`.
    var newRows: [HiddenJoke] = []

    /// The number of jokes that are loaded beyond the selected one.
    static let lookahead = 20
}

// MARK: Requests

extension Model {
    /// Requests the hidden jokes again if the page is shown, one request at a time.
    mutating func requestHiddenJokes() -> [Effect] {
        guard page?.kind == .hidden, hidden.request.begin() else { return [] }
        hidden.newRows = []
        return [.send(.hidden(cursor: nil))]
    }

    /// Requests the next hidden jokes if the cursor or the screen is near the end of those that are loaded.
    mutating func loadMoreHiddenJokes() -> [Effect] {
        guard let page, page.kind == .hidden, !hidden.request.isOpen, hidden.request.refusal == nil,
            let next = hidden.next
        else { return [] }
        let rows = hidden.rows ?? []
        guard page.selected + HiddenJokes.lookahead >= rows.count || !isPageCutOff, hidden.request.begin() else {
            return []
        }
        hidden.newRows = rows
        return [.send(.hidden(cursor: next))]
    }

    /// The number of loaded jokes that a reload keeps: those down to the selected joke and to the end of the screen.
    private var reloadedCount: Int {
        guard let rows = hidden.rows, let page = pages.first(where: { $0.kind == .hidden }) else { return 0 }
        // The page has no lines for the jokes that are being shown again, and at least one line for each other joke.
        let shownAgain = rows.count - hiddenRows.count
        return min(rows.count, shownAgain + max(page.selected, page.top + pageSize.rows) + HiddenJokes.lookahead)
    }

    /// Handles a page of hidden jokes. The same joke stays selected.
    mutating func handleHiddenJokes(_ answer: Answer) -> [Effect] {
        let page = if case .hidden(let page) = answer { page } else { nil as HiddenMethod.Reply? }
        hidden.newRows += page?.hidden ?? []
        // Also if the rows are outdated: fewer rows would move the cursor.
        if let next = page?.next, hidden.newRows.count < reloadedCount {
            return [.send(.hidden(cursor: next))]
        }
        let isOutdated = hidden.request.end(refusal: answer.refusal)
        if let page {
            let selected = selectedHiddenJoke?.id
            (hidden.rows, hidden.next) = (hidden.newRows, page.next)
            (hidden.total, hidden.notCached) = (max(0, page.total), page.notCached)
            select(hiddenRows.firstIndex { $0.joke.id == selected }, on: .hidden)
        }
        return isOutdated ? requestHiddenJokes() : []
    }

    /// Updates the loaded jokes by an accepted mark, and requests them again if jokes were hidden or shown.
    mutating func updateHiddenJokes(by mark: Mark, isSet: Bool) -> [Effect] {
        switch mark {
        case .hidden(let joke):
            if !isSet, let index = hidden.rows?.firstIndex(where: { $0.joke.id == joke }) {
                hidden.rows?.remove(at: index)
                hidden.total = max(0, hidden.total - 1)
            }
            return requestHiddenJokes()
        case .star(let joke):
            guard let index = hidden.rows?.firstIndex(where: { $0.joke.id == joke }) else { return [] }
            var changed = hidden.rows?[index].joke
            changed?.isFavorite = isSet
            if let changed { hidden.rows?[index].joke = changed }
            return []
        }
    }
}

// MARK: Keys

extension Model {
    mutating func performOnHiddenPage(_ action: Action) -> [Effect]? {
        switch action {
        case .reveal, .open:
            guard let joke = selectedHiddenJoke?.id else { return [] }
            if hidden.revealed.remove(joke) == nil { hidden.revealed.insert(joke) }
            select(page?.selected, on: .hidden)
        case .hide: return unhide()
        default: return nil
        }
        return []
    }

    private mutating func unhide() -> [Effect] {
        guard let joke = selectedHiddenJoke, isConnected(else: "Still hidden: not connected") else { return [] }
        notice = Notice(text: "Shown again; \(keys.name(of: .undo)) undoes")
        return make(MarkChange(.hidden(joke.id), isSet: false))
    }

    /// The joke at the cursor of the page.
    var selectedHiddenJoke: Joke? {
        guard let page = pages.first(where: { $0.kind == .hidden }) else { return nil }
        let rows = hiddenRows
        return rows.indices.contains(page.selected) ? rows[page.selected].joke : nil
    }

    /// The loaded jokes without those that are being shown again here.
    private var hiddenRows: [HiddenJoke] {
        (hidden.rows ?? []).filter { marks[.hidden($0.joke.id)]?.isSet != false }
    }
}

// MARK: Lines

extension Model {
    /// The title of the page, with the position in the hidden jokes.
    var hiddenTitle: String {
        guard let loaded = hidden.rows else { return "Hidden" }
        let rows = hiddenRows
        let total = hidden.total - (loaded.count - rows.count)
        return rows.isEmpty ? "Hidden \(total)" : "Hidden \((page?.selected ?? 0) + 1)/\(total)"
    }

    /// The lines of all loaded jokes, so a key takes O(loaded hidden jokes) on this page.
    var hiddenContent: PageContent {
        let width = max(1, pageSize.columns - 2)
        var content = pageStart(hidden.request, hasContent: hidden.rows != nil, "Loading the hidden jokes\u{2026}")
        func add(_ text: String, _ style: Style) { content.lines += wrapped(text, style, to: width) }
        let rows = hiddenRows
        for row in rows {
            let lines = lines(of: row, width: width)
            content.rows.append(content.lines.count..<content.lines.count + lines.count)
            content.lines += lines
        }
        if hidden.rows != nil, rows.isEmpty {
            add("No hidden jokes. In the list, \(keys.name(of: .hide)) hides the selected joke.", .plain)
        }
        if hidden.next != nil { add("\u{2026} Scroll down to load more.", .muted) }
        if hidden.notCached > 0, hidden.next == nil {
            content.lines.append(Line())
            add("\(hidden.notCached) more: not cached, or excluded by the filter of jokesd's configuration.", .muted)
        }
        content.lines = content.lines.map { Line(" ") + $0 }
        return content
    }

    /// The joke and the time, on one line unless the punchline is shown.
    private func lines(of row: HiddenJoke, width: Int) -> [Line] {
        let joke = row.joke
        let text = joke.content.text
        let isFavorite = marks[.star(joke.id)]?.isSet ?? joke.isFavorite
        let star = isFavorite ? Line("\u{2605} ", Style(.bold, .accent)) : Line("  ")
        let time = Line(clock.words(for: row.hiddenAt), .muted)
        guard hidden.revealed.contains(joke.id) else {
            return [.justified(star + Line(text.setup), time, to: width)]
        }
        let room = max(1, width - 2)
        var lines = wrapped(text.setup, to: room).enumerated().map { ($0 == 0 ? star : Line("  ")) + $1 }
        if let punchline = text.punchline {
            lines += wrapped(punchline, .accent, to: max(1, room - 2)).enumerated().map {
                Line($0 == 0 ? "  \u{2014} " : "    ", .muted) + $1
            }
        }
        return lines + [Line("  hidden ", .muted) + time + Line(" \u{B7} \(joke.id.source)", .muted)]
    }
}
