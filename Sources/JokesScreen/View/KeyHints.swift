import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The keys that matter here. The last one stays if there is too little room for all.
    var keyLine: Line {
        let hints = hints
        guard let last = hints.last else { return Line().fitted(to: size.columns) }
        var line = Line(" ")
        for hint in hints.dropLast() where line.columns + hint.columns + 3 + last.columns <= size.columns {
            line = line + hint + Line("  ")
        }
        return (line + last).fitted(to: size.columns)
    }

    /// Returns a key of the action, and a word for its effect.
    func keyHint(_ action: Action, _ word: String) -> Line {
        Line(keys.name(of: action), .accent) + Line(" " + word, .muted)
    }

    private var hints: [Line] {
        switch page?.kind {
        case nil: search == nil ? listHints : searchHints
        case .random: randomHints
        case .details: jokeHints + [keyHint(.quit, "back")]
        case .sources: [keyHint(.open, "open")] + sourceHints + [keyHint(.search, "find"), keyHint(.quit, "back")]
        case .source: sourceHints + [keyHint(.quit, "back")]
        case .hidden: hiddenHints + [keyHint(.quit, "back")]
        case .filters:
            [keyHint(.reveal, "toggle"), keyHint(.hide, "exclude")] + clearHints
                + [keyHint(.search, "find"), keyHint(.help, "help"), keyHint(.quit, "back")]
        case .help: helpHints
        }
    }

    private var sourceHints: [Line] {
        let isEnabled = shownSource?.enabled != false
        return [
            keyHint(.toggleSource, isEnabled ? "disable" : "enable"), keyHint(.testSource, "test"),
            keyHint(.refresh, "refresh"), keyHint(.help, "help"),
        ]
    }

    private var helpHints: [Line] {
        let more = isPageCutOff ? [keyHint(.down, "more")] : []
        if page?.search == nil { return more + [keyHint(.search, "find"), keyHint(.quit, "back")] }
        return more + [keyHint(.search, "edit"), Line("Esc", .accent) + Line(" all keys", .muted)]
    }

    private var listHints: [Line] {
        let isFolded = if case .header(let section) = cursor { folded.contains(section) } else { false }
        let here = jokeAtCursor == nil ? [keyHint(.fold, isFolded ? "unfold" : "fold")] : jokeHints
        return here + clearHints + [keyHint(.search, "search"), keyHint(.random, "random"), keyHint(.help, "help")]
    }

    private var clearHints: [Line] { filterNames.isEmpty ? [] : [keyHint(.clearFilters, "clear filter")] }

    private var searchHints: [Line] {
        let all = Line("Esc", .accent) + Line(" all jokes", .muted)
        let next = rows.firstItem(of: .searchResults) == nil ? [] : [keyHint(.nextFound, "next")]
        return next + [keyHint(.search, "edit")] + jokeHints + [all]
    }

    private var randomHints: [Line] {
        let isHidden = random.current?.content.text.punchline != nil && !random.isRevealed && random.refusal == nil
        let favorite = random.current.map { isFavorite($0.id) ? "unfavorite" : "favorite" } ?? "favorite"
        return [
            keyHint(.reveal, isHidden ? "punchline" : "next"), keyHint(.up, "previous"), keyHint(.star, favorite),
            keyHint(.copy, "copy"), keyHint(.quit, "back"),
        ]
    }

    private var hiddenHints: [Line] {
        guard let joke = selectedHiddenJoke else { return [] }
        let isWhole = joke.content.text.punchline == nil
        let reveal = hidden.revealed.contains(joke.id) ? "less" : isWhole ? "more" : "punchline"
        return [
            keyHint(.reveal, reveal), keyHint(.hide, "unhide"),
            keyHint(.star, isFavorite(joke.id) ? "unfavorite" : "favorite"), keyHint(.copy, "copy"),
        ]
    }

    /// The keys for the joke at the cursor.
    private var jokeHints: [Line] {
        guard let item = itemAtCursor, let joke = item.id.joke else { return [] }
        let isRevealed = revealed.contains(item.id)
        let reveal =
            item.content?.text.punchline == nil ? [] : [keyHint(.reveal, isRevealed ? "hide punchline" : "punchline")]
        return reveal + [keyHint(.star, isFavorite(joke) ? "unfavorite" : "favorite")]
    }
}
