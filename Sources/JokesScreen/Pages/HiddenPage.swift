package import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension PageDefinition {
    static var hidden: PageDefinition {
        PageDefinition(
            title: { $0.hiddenTitle }, content: { $0.hiddenContent(to: $1) }, hints: { $0.hiddenHints },
            perform: { $0.performOnHiddenPage($1) }, refresh: { $0.requestHiddenJokes() },
            item: { $0.selectedHiddenJoke.map { .joke($0) } })
    }
}

/// The hidden jokes of the page.
package struct HiddenJokes: Hashable, Sendable {
    /// The most recently hidden first; nil before the first answer.
    package internal(set) var rows: [HiddenJoke]?
    /// The number of all hidden jokes that are cached.
    package internal(set) var total = 0
    /// The number of hidden marks whose jokes are not cached, or excluded by the filter of the configuration.
    package internal(set) var notCached = 0
    package internal(set) var revealed: Set<JokeID> = []
    /// The request of all rows, one answer of the daemon after the other.
    var request = PageRequest()
    /// The rows of the answers so far, which will replace `rows`.
    var newRows: [HiddenJoke] = []

    /// Older ones are not loaded.
    static let maxCount = 1000
}

// MARK: Requests

extension Model {
    /// Requests the hidden jokes, one request at a time.
    fileprivate mutating func requestHiddenJokes() -> [Effect] {
        guard hidden.request.begin() else { return [] }
        hidden.newRows = []
        return [.send(.hidden(cursor: nil))]
    }

    /// Requests the hidden jokes again if the page is open.
    mutating func reloadHiddenJokes() -> [Effect] { isOpen(.hidden) ? requestHiddenJokes() : [] }

    /// Handles a part of the hidden jokes. The same joke stays selected.
    mutating func handleHiddenJokes(_ answer: Answer) -> [Effect] {
        let part = if case .hidden(let part) = answer { part } else { nil as HiddenMethod.Reply? }
        hidden.newRows += part?.hidden ?? []
        if let next = part?.next, hidden.newRows.count < HiddenJokes.maxCount {
            return [.send(.hidden(cursor: next))]
        }
        let isOutdated = hidden.request.end(refusal: answer.refusal)
        if let part {
            let selected = selectedHiddenJoke?.id
            (hidden.rows, hidden.total, hidden.notCached) = (hidden.newRows, max(0, part.total), part.notCached)
            select(hiddenRows.firstIndex { $0.joke.id == selected }, on: .hidden)
        }
        return isOutdated ? reloadHiddenJokes() : []
    }

    /// Updates the loaded jokes by an accepted mark, and requests them again if jokes were hidden or shown.
    mutating func updateHiddenJokes(by mark: Mark, isSet: Bool) -> [Effect] {
        switch mark {
        case .hidden(let joke):
            if !isSet, let index = hidden.rows?.firstIndex(where: { $0.joke.id == joke }) {
                hidden.rows?.remove(at: index)
                hidden.total = max(0, hidden.total - 1)
            }
            return reloadHiddenJokes()
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
    fileprivate mutating func performOnHiddenPage(_ action: Action) -> [Effect]? {
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
    fileprivate var hiddenHints: [KeyHint] {
        guard let joke = selectedHiddenJoke else { return [backHint] }
        let isWhole = joke.content.text.punchline == nil
        let reveal = hidden.revealed.contains(joke.id) ? "less" : isWhole ? "more" : "punchline"
        return [keyHint(.reveal, reveal), keyHint(.hide, "unhide"), starHint(joke.id), backHint]
    }

    /// The title of the page, with the position in the hidden jokes.
    fileprivate var hiddenTitle: String {
        guard let loaded = hidden.rows else { return "Hidden" }
        let rows = hiddenRows
        let total = hidden.total - (loaded.count - rows.count)
        return rows.isEmpty ? "Hidden \(total)" : "Hidden \((page?.selected ?? 0) + 1)/\(total)"
    }

    fileprivate func hiddenContent(to width: Int) -> PageContent {
        var content = pageStart(
            hidden.request, hasContent: hidden.rows != nil, "Loading the hidden jokes\u{2026}", to: width)
        let rows = hiddenRows
        for row in rows { content.add(row: lines(of: row, width: width)) }
        var notes: [String] = []
        if hidden.rows != nil, rows.isEmpty {
            notes.append("No hidden jokes. In the list, \(keys.name(of: .hide)) hides the selected joke.")
        }
        if let loaded = hidden.rows?.count, loaded < hidden.total {
            notes.append("\(hidden.total - loaded) older ones: 'jokesctl hidden' lists them.")
        }
        if hidden.notCached > 0 {
            notes.append("\(hidden.notCached) more: not cached, or excluded by the filter of jokesd's configuration.")
        }
        content.lines += notes.flatMap { [Line()] + wrapped($0, .muted, to: width) }
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
