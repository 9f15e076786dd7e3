import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// A key and a word for its effect, in the last line. A click on it presses the key.
struct KeyHint {
    let keys: [Key]
    let line: Line

    init(_ keys: [Key], _ word: String) {
        (self.keys, line) = (keys, Line(keys.name, .accent) + Line(" " + word, .muted))
    }
}

extension Model {
    /// The keys that matter here and have an effect, with their first columns in the last line. If there is too little room
    /// for all, the last one stays.
    var placedHints: [(column: Int, hint: KeyHint)] {
        let hints = (page?.kind.hints(self) ?? (search == nil ? listHints : searchHints)).filter {
            !$0.keys.isEmpty
        }
        guard let last = hints.last else { return [] }
        var placed: [(column: Int, hint: KeyHint)] = []
        var column = 1
        for hint in hints.dropLast() where column + hint.line.columns + 2 + last.line.columns <= size.columns {
            placed.append((column, hint))
            column += hint.line.columns + 2
        }
        return placed + [(column, last)]
    }

    var keyLine: Line {
        placedHints.reduce(Line()) { $0.padded(to: $1.column) + $1.hint.line }.fitted(to: size.columns)
    }

    func keyHint(_ action: Action, _ word: String) -> KeyHint {
        KeyHint(keys.bindings.first { $0.action == action }?.keys.first ?? [], word)
    }

    var backHint: KeyHint { keyHint(.quit, "back") }

    private var listHints: [KeyHint] {
        let isFolded = if case .header(let section) = cursor { folded.contains(section) } else { false }
        let here = jokeAtCursor == nil ? [keyHint(.fold, isFolded ? "unfold" : "fold")] : jokeHints
        let unseen = rows.firstItem(of: listed) == nil ? [] : [keyHint(.nextUnseen, "unseen")]
        return here + clearHints + [keyHint(.search, "search"), keyHint(.random, "random")] + unseen
            + [keyHint(.filters, "filters"), keyHint(.sources, "sources")] + changeHints
            + [keyHint(.help, "help")]
    }

    var clearHints: [KeyHint] { filterNames.isEmpty ? [] : [keyHint(.clearFilters, "clear filter")] }

    private var searchHints: [KeyHint] {
        let next = rows.firstItem(of: .searchResults) == nil ? [] : [keyHint(.nextFound, "next")]
        return next + [keyHint(.search, "edit")] + jokeHints + changeHints
            + [KeyHint([.escape], "all jokes")]
    }

    /// The first keys for the joke at the cursor.
    var jokeHints: [KeyHint] {
        guard let item = itemAtCursor, let joke = item.id.joke else { return [] }
        let reveal = keyHint(.reveal, revealed.contains(item.id) ? "hide punchline" : "punchline")
        return (item.content?.text.punchline == nil ? [] : [reveal]) + [starHint(joke)]
    }

    func starHint(_ joke: JokeID) -> KeyHint { keyHint(.star, isFavorite(joke) ? "unfavorite" : "favorite") }

    private var changeHints: [KeyHint] {
        guard let item = itemAtCursor, item.id.joke != nil else { return [] }
        let seen = item.isSeen || item.isUnseen ? [keyHint(.seen, "seen")] : []
        return [keyHint(.note, "note"), keyHint(.hide, "hide"), keyHint(.copy, "copy")] + seen
    }
}
