import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The details of the selected row.
    func detailLines(width: Int) -> [Line] {
        switch itemAtCursor {
        case .joke(let joke): detailLines(joke.id, joke.content, firstSeen: joke.firstSeen, width: width)
        case .found(let found):
            detailLines(
                found.joke.id, found.joke.content, marks: found.marks, firstSeen: found.joke.firstSeen, width: width)
        case .favorite(let favorite):
            detailLines(favorite.id, favorite.content, firstSeen: favorite.firstSeen, width: width)
        case .loading: wrapped("Loading a joke from its source\u{2026}", to: width)
        case .unknown: []
        case nil: sectionDetailLines(width: width)
        }
    }

    private func detailLines(
        _ id: JokeID, _ content: JokeContent, marks: [TextStretch] = [], firstSeen: Timestamp, width: Int
    ) -> [Line] {
        var lines = wrapped(content.text.setup, marking: marks.bytes(of: .setup), to: width)
        if let punchline = content.text.punchline {
            lines.append(Line())
            lines +=
                isRevealedAtCursor
                ? wrapped(punchline, .accent, marking: marks.bytes(of: .punchline), to: width)
                : wrapped("\(keys.name(of: .reveal)) shows the punchline", .muted, to: width)
        }
        var facts = facts(id, content, firstSeen: firstSeen, clock: clock)
        if isStarred(id) {
            let favorite = favorite(of: id)
            facts.append(Fact("favorite", favorite.map { "since \(clock.words(for: $0.favoritedAt))" } ?? "yes"))
            if let note = favorite?.note { facts.append(Fact("note", paragraphs: note)) }
        }
        return lines + [Line()] + factLines(facts, width: width)
    }

    private var isRevealedAtCursor: Bool {
        guard case .item(let item) = cursor else { return false }
        return revealed.contains(item)
    }

    /// The details of the selected section.
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
            sentences = (troubleClauses(header) + [cachedClause(header), syncClause(header, clock)]).compactMap(\.first)
        case .searchResults(let query, let count, let isExact):
            sentences = ["\(isExact ? "" : "At least ")\(counted(count, "joke")) found for '\(query)'."]
        case .unknown: sentences = []
        }
        return sentences.flatMap { wrapped($0, to: width) }
    }
}

// MARK: On the screen

extension Model {
    /// The lines of the list with those of the details.
    func withDetails(_ list: [Line]) -> [Line] {
        switch layout.details {
        case nil: list
        case .beside(let size):
            zip(list, shownDetailLines(in: size)).map { $0 + Line(" \u{2502} ", .muted) + $1 }
        case .below(let size):
            list + [Line(String(repeating: "\u{2500}", count: self.size.columns), .muted)]
                + shownDetailLines(in: size).map { (Line(" ") + $0).fitted(to: self.size.columns) }
        }
    }

    /// The lines that fit; the last one says if there are more.
    private func shownDetailLines(in size: Size) -> [Line] {
        let rest = detailLines(width: size.columns).dropFirst(detailTop)
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
struct Fact: Hashable {
    let name: String
    let value: String

    /// A value on one line.
    init(_ name: String, _ value: String) {
        self.init(name, paragraphs: String(value.map { $0.isNewline ? " " : $0 }))
    }

    init(_ name: String, paragraphs: String) {
        self.name = name
        value = paragraphs
    }
}

/// The properties of a joke, with the names of `jokesctl show`.
func facts(_ id: JokeID, _ content: JokeContent, firstSeen: Timestamp, clock: LocalClock) -> [Fact] {
    var facts = [Fact("source", String(id.source)), Fact("id", id.rawValue)]
    if !content.categories.isEmpty {
        let name = content.categories.count == 1 ? "category" : "categories"
        facts.append(Fact(name, content.categories.joined(separator: ", ")))
    }
    facts.append(Fact("language", content.language == "und" ? "unknown" : content.language))
    facts.append(Fact("safety", safetyWords(content)))
    if let author = content.author { facts.append(Fact("author", author)) }
    if let url = content.url { facts.append(Fact("url", url)) }
    if let date = content.upstreamDate { facts.append(Fact("date", date)) }
    facts.append(Fact("first seen", clock.words(for: firstSeen)))
    return facts
}

private func safetyWords(_ content: JokeContent) -> String {
    let flags = content.flags.names.joined(separator: ", ")
    switch content.safety {
    case .safe where flags.isEmpty: return "safe"
    case .unknown where flags.isEmpty: return "unrated"
    case .unsafe where flags.isEmpty: return "unsafe"
    case .safe, .unsafe, .unknown: return "unsafe (\(flags))"
    }
}

/// The facts, next to each other if the lines are long, else one below the other.
func factLines(_ facts: [Fact], width: Int) -> [Line] {
    if width >= 72 { return flowingLines(facts, width: width) }
    let widest = facts.map(\.name.columns).max() ?? 0
    return facts.flatMap { fact in
        width >= 30
            ? labelledLines(fact, label: widest + 2, width: width)
            : wrapped("\(fact.name): \(fact.value)", to: width)
    }
}

private func labelledLines(_ fact: Fact, label: Int, width: Int) -> [Line] {
    wrapped(fact.value, to: max(1, width - label)).enumerated().map { number, part in
        Line(number == 0 ? fact.name : "", .muted).padded(to: label) + part
    }
}

private func flowingLines(_ facts: [Fact], width: Int) -> [Line] {
    var lines: [Line] = []
    var line = Line()
    for fact in facts {
        let parts = labelledLines(fact, label: fact.name.columns + 1, width: width)
        let first = parts.first ?? Line()
        let longer = line.columns == 0 ? first : line + Line("   ") + first
        if parts.count == 1, longer.columns <= width {
            line = longer
            continue
        }
        // A fact with several lines stands alone.
        if line.columns > 0 { lines.append(line) }
        lines += parts.count == 1 ? [] : parts
        line = parts.count == 1 ? first : Line()
    }
    return line.columns > 0 ? lines + [line] : lines
}
