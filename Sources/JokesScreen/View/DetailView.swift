import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Page.Kind {
    static let details: Page.Kind = Page.Kind(
        name: "details", title: { _ in "Details" },
        content: { PageContent(lines: $0.detailLines(in: Size(columns: $1, rows: 0))) },
        hints: { $0.jokeHints + [$0.backHint] }, popupWidth: 46,
        perform: { $1.movesInList ? $0.perform($1) : nil }, item: { $0.itemAtCursor })
}

extension Model {
    /// The details of the selected row: the joke with its facts in the middle of the pane, and the rest at the bottom.
    func detailLines(in size: Size) -> [Line] {
        switch itemAtCursor {
        case .joke(let joke): detailLines(of: joke, in: size)
        case .found(let found): detailLines(of: found.joke, marks: found.marks, in: size)
        case .favorite(let favorite):
            detailLines(
                of: Joke(id: favorite.id, content: favorite.content, isFavorite: true, firstSeen: favorite.firstSeen),
                in: size)
        case .loading: wrapped("Loading a joke from its source\u{2026}", to: size.columns)
        case .unknown, nil: []
        }
    }

    private func detailLines(of joke: Joke, marks: [TextRange] = [], in size: Size) -> [Line] {
        let isRevealed = if case .item(let item) = cursor { revealed.contains(item) } else { false }
        let lines = jokeLines(joke, marking: marks, isRevealed: isRevealed, to: size.columns)
        let isFavorite = isFavorite(joke.id)
        let favorite = isFavorite ? favorite(of: joke.id) : nil
        let since = favorite.map { "since \(clock.words(for: $0.favoritedAt))" } ?? "yes"
        let details = JokeDetail.allCases.map { ($0.rawValue, joke.content.details[$0]) }
        let others = [
            ("id", joke.id.rawValue), ("not shown", exclusion?.joke == joke.id ? exclusion?.reason : nil),
            ("favorite", isFavorite ? since : nil), ("note", favorite?.note),
        ]
        let below = (details + others).flatMap { name, value in
            let style: Style = name == "note" ? .plain : .muted
            return value.map { labeledLines(name, $0, style, label: 11, width: size.columns) } ?? []
        }
        let spare = size.rows - lines.count - below.count - 1
        guard spare > 1 else { return lines + [Line()] + below }
        let above = min(spare / 3, 6)
        return blankLines(above) + lines + blankLines(spare + 1 - above) + below
    }
}

/// Why a joke is not in the list of jokes.
struct Exclusion: Equatable, Sendable {
    let joke: JokeID
    /// Nil if the list has the joke, or before the answer.
    var reason: String?
    /// True if the snapshot has changed since the request.
    var isOutdated = false
}

extension Model {
    /// Asks why the selected favorite is not shown, if its details are on the screen: other jokes of the list are shown.
    mutating func requestExclusion() -> [Effect] {
        let showsDetails = page == nil ? layout.details != nil : isListShown
        guard showsDetails, link == .live, case .favorite(let favorite) = itemAtCursor,
            exclusion?.joke != favorite.id || exclusion?.isOutdated == true
        else { return [] }
        let known = exclusion?.joke == favorite.id ? exclusion?.reason : nil
        exclusion = Exclusion(joke: favorite.id, reason: known)
        return [.send(.joke(favorite.id))]
    }
}

// MARK: On the screen

extension Model {
    /// The lines that fit; the last one says if there are more.
    func shownDetailLines(in size: Size) -> [Line] {
        let rest = detailLines(in: size).dropFirst(detailTop)
        var shown = Array(rest.prefix(size.rows))
        if rest.count > size.rows, !shown.isEmpty {
            let hidden = rest.count - size.rows + 1
            shown[shown.count - 1] = Line("\(hidden) more lines; \(keys.name(of: .detailsDown)) scrolls", .muted)
        }
        return (shown + blankLines(size.rows - shown.count)).map { $0.fitted(to: size.columns) }
    }
}

/// The wrapped value, with the name in the columns of the label at the first line.
func labeledLines(_ name: String, _ value: String, _ style: Style = .muted, label: Int, width: Int) -> [Line] {
    let label = width < 2 * label ? name.columns + 1 : label
    return wrapped(value, style, to: max(1, width - label)).enumerated().map { number, part in
        Line(number == 0 ? name : "", .muted).padded(to: label) + part
    }
}
