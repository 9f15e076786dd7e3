import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension PageDefinition {
    static var details: PageDefinition {
        PageDefinition(
            title: { _ in "Details" }, content: { PageContent(lines: $0.detailLines(in: Size(columns: $1, rows: 0))) },
            hints: { $0.jokeHints + [$0.backHint] }, popupWidth: 72, item: { $0.itemAtCursor })
    }
}

extension Model {
    /// The details of the selected row: the joke in the middle of its part of the pane, and the facts at the bottom.
    func detailLines(in size: Size) -> [Line] {
        let width = size.columns
        switch itemAtCursor {
        case .joke(let joke): return detailLines(joke.id, joke.content, firstSeen: joke.firstSeen, in: size)
        case .found(let found):
            return detailLines(
                found.joke.id, found.joke.content, marks: found.marks, firstSeen: found.joke.firstSeen, in: size)
        case .favorite(let favorite):
            return detailLines(favorite.id, favorite.content, firstSeen: favorite.firstSeen, in: size)
        case .loading: return wrapped("Loading a joke from its source\u{2026}", to: width)
        case .unknown: return []
        case nil: return sectionDetailLines(width: width)
        }
    }

    private func detailLines(
        _ id: JokeID, _ content: JokeContent, marks: [TextRange] = [], firstSeen: Timestamp, in size: Size
    ) -> [Line] {
        let width = size.columns
        let isRevealed = if case .item(let item) = cursor { revealed.contains(item) } else { false }
        let lines = jokeLines(content.text, marking: marks, isRevealed: isRevealed, to: width)
        var facts = facts(id, content, firstSeen: clock.words(for: firstSeen))
        if let exclusion, exclusion.joke == id, let reason = exclusion.reason {
            facts.append(Fact(name: "not shown", value: reason))
        }
        if isFavorite(id) {
            let favorite = favorite(of: id)
            let since = favorite.map { "since \(clock.words(for: $0.favoritedAt))" }
            facts.append(Fact(name: "favorite", value: since ?? "yes"))
            if let note = favorite?.note { facts.append(Fact(name: "note", value: note)) }
        }
        let below = factLines(facts, width: width)
        let spare = size.rows - lines.count - below.count - 1
        guard spare > 1 else { return lines + [Line()] + below }
        let above = min(spare / 3, 6)
        return blankLines(above) + lines + blankLines(spare + 1 - above) + below
    }

    private func blankLines(_ count: Int) -> [Line] { Array(repeating: Line(), count: count) }

    private func sectionDetailLines(width: Int) -> [Line] {
        guard case .header(let id) = cursor, let section = snapshot?.section(for: id) else { return [] }
        let sentences: [String]
        switch section {
        case .favoriteJokes(let count):
            sentences = [
                "\(counted(count, "favorite")). A favorite stays even if its source drops the joke.",
                "\(keys.name(of: .star)) removes the selected joke from the favorites.",
            ]
        case .jokes(let header):
            sentences = (problemClauses(header) + [shownClause(header), syncClause(header, clock)]).compactMap(\.first)
        case .searchResults(let query, let count, let isExact, _):
            sentences = ["\(isExact ? "" : "At least ")\(counted(count, "joke")) found for '\(query)'."]
        case .unknown: sentences = []
        }
        return sentences.flatMap { wrapped($0, to: width) }
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
        let showsDetails = page.map { $0.kind == .details } ?? (layout.details != nil)
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
        shown += Array(repeating: Line(), count: size.rows - shown.count)
        return shown.map { $0.fitted(to: size.columns) }
    }
}

/// A property of a joke.
private struct Fact {
    let name: String
    let value: String
}

/// The properties of a joke, with the names of `jokesctl show`, each on one line.
private func facts(_ id: JokeID, _ content: JokeContent, firstSeen: String) -> [Fact] {
    let categories = content.categories
    let facts: [(name: String, value: String?)] = [
        ("id", id.rawValue),
        (categories.count == 1 ? "category" : "categories", categories.joined(separator: ", ")),
        ("language", content.language == "und" ? "unknown" : content.language), ("safety", safetyWords(content)),
    ]
    let details = JokeDetail.allCases.map { ($0.rawValue, content.details[$0]) }
    return (facts + details + [("first seen", firstSeen)]).compactMap { name, value in
        guard let value, !value.isEmpty else { return nil }
        return Fact(name: name, value: String(value.map { $0.isNewline ? " " : $0 }))
    }
}

private func safetyWords(_ content: JokeContent) -> String {
    let flags = content.flags.names
    if !flags.isEmpty { return "unsafe (\(flags.joined(separator: ", ")))" }
    return switch content.safety {
    case .safe: "safe"
    case .unknown: "unrated"
    case .unsafe: "unsafe"
    }
}

/// The facts, next to each other if the lines are long, else one below the other.
private func factLines(_ facts: [Fact], width: Int) -> [Line] {
    if width >= 72 { return flowingLines(facts, width: width) }
    let widest = facts.map(\.name.columns).max() ?? 0
    if width < 30 { return facts.flatMap { wrapped("\($0.name): \($0.value)", to: width) } }
    return facts.flatMap { labelledLines($0.name, $0.value, label: widest + 2, width: width) }
}

/// The wrapped value, with the name in the columns of the label at the first line.
func labelledLines(_ name: String, _ value: String, label: Int, width: Int) -> [Line] {
    wrapped(value, .muted, to: max(1, width - label)).enumerated().map { number, part in
        Line(number == 0 ? name : "", .muted).padded(to: label) + part
    }
}

private func flowingLines(_ facts: [Fact], width: Int) -> [Line] {
    var lines: [Line] = []
    var line = Line()
    for fact in facts {
        let parts = labelledLines(fact.name, fact.value, label: fact.name.columns + 1, width: width)
        // A fact with several lines stands alone.
        let isShort = parts.count == 1
        if isShort, line.columns > 0, line.columns + 3 + parts[0].columns <= width {
            line = line + Line("   ") + parts[0]
            continue
        }
        if line.columns > 0 { lines.append(line) }
        if !isShort { lines += parts }
        line = isShort ? parts[0] : Line()
    }
    return line.columns > 0 ? lines + [line] : lines
}
