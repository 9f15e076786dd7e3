import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Page.Kind {
    static let hidden: Page.Kind = Page.Kind(
        name: "hidden", title: { $0.hiddenTitle }, content: { $0.hiddenContent(to: $1) }, hints: { $0.hiddenHints },
        perform: { $0.performOnHiddenPage($1) }, refresh: { $0.requestHiddenJokes() },
        item: { $0.selectedHiddenJoke.map { .joke($0) } })
}

/// The hidden jokes of the page.
struct HiddenJokes: Hashable, Sendable {
    /// The most recently hidden first; nil before the first answer.
    var rows: [HiddenJoke]?
    /// The number of all hidden jokes that are cached.
    var total = 0
    /// The number of hidden marks whose jokes are not cached, or excluded by the filter of the configuration.
    var notCached = 0
    var revealed: Set<JokeID> = []
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

    /// Handles a part of the hidden jokes. The same joke stays selected.
    mutating func handleHiddenJokes(_ answer: Answer) -> [Effect] {
        let part = if case .hidden(let part) = answer { part } else { nil as HiddenMethod.Reply? }
        hidden.newRows += part?.hidden ?? []
        if let next = part?.next, part?.hidden.isEmpty == false, hidden.newRows.count < HiddenJokes.maxCount {
            return [.send(.hidden(cursor: next))]
        }
        let isOutdated = hidden.request.end(refusal: answer.refusal)
        if let part {
            let selected = selectedHiddenJoke?.id
            (hidden.rows, hidden.total, hidden.notCached) = (hidden.newRows, max(0, part.total), part.notCached)
            select(hidden.rows?.firstIndex { $0.joke.id == selected }, on: .hidden)
        }
        return isOutdated && isOpen(.hidden) ? requestHiddenJokes() : resume()
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
        return change(.hide(joke.id, isHidden: false))
    }

    /// The joke at the cursor of the page.
    var selectedHiddenJoke: Joke? {
        guard let page = pages.first(where: { $0.kind == .hidden }), let rows = hidden.rows else { return nil }
        return rows.indices.contains(page.selected) ? rows[page.selected].joke : nil
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
        guard let rows = hidden.rows else { return "Hidden" }
        return "Hidden \(rows.isEmpty ? "" : "\((page?.selected ?? 0) + 1)/")\(hidden.total)"
    }

    fileprivate func hiddenContent(to width: Int) -> PageContent {
        var content = pageStart(
            hidden.request, hasContent: hidden.rows != nil, "Loading the hidden jokes\u{2026}", to: width)
        for row in hidden.rows ?? [] { content.add(row: lines(of: row, width: width)) }
        var remarks: [String] = []
        if hidden.rows?.isEmpty == true {
            remarks.append("No hidden jokes. In the list, \(keys.name(of: .hide)) hides the selected joke.")
        }
        if let loaded = hidden.rows?.count, loaded < hidden.total {
            remarks.append("\(hidden.total - loaded) older ones: 'jokesctl hidden' lists them.")
        }
        if hidden.notCached > 0 {
            remarks.append("\(hidden.notCached) more: not cached, or excluded by the filter of jokesd's configuration.")
        }
        content.lines += remarks.flatMap { [Line()] + wrapped($0, .muted, to: width) }
        return content
    }

    /// The joke and the time, on one line unless the punchline is shown.
    private func lines(of row: HiddenJoke, width: Int) -> [Line] {
        let joke = row.joke
        let text = joke.content.text
        let star = joke.isFavorite ? Line("\u{2605} ", Style(.bold, .accent)) : Line("  ")
        let time = Line(clock.words(for: row.hiddenAt), .muted)
        guard hidden.revealed.contains(joke.id) else {
            return [.justified(star + Line(text.setup), time, to: width)]
        }
        var lines = wrapped(text.setup, to: max(1, width - 2)).enumerated().map { ($0 == 0 ? star : Line("  ")) + $1 }
        if let punchline = text.punchline { lines += punchlineLines(punchline, to: width) }
        return lines + [Line("  hidden ", .muted) + time + Line(" \u{B7} \(joke.id.source)", .muted)]
    }
}
