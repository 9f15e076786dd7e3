import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The details of the row under the cursor, all of them, in lines of at most so many columns.
    func detailLines(width: Int) -> [Line] {
        switch itemAtCursor {
        case .joke(let joke): detailLines(joke.id, joke.content, firstSeen: joke.firstSeen, width: width)
        case .found(let found):
            detailLines(
                found.joke.id, found.joke.content, marks: found.marks, firstSeen: found.joke.firstSeen, width: width)
        case .favorite(let favorite):
            detailLines(favorite.id, favorite.content, firstSeen: favorite.firstSeen, width: width)
        case .loading: wrapped("Loading a joke from its source\u{2026}", to: width).map { Line($0) }
        case .unknown: []
        case nil: sectionDetailLines(width: width)
        }
    }

    private func detailLines(
        _ id: JokeID, _ content: JokeContent, marks: [TextStretch] = [], firstSeen: Timestamp, width: Int
    ) -> [Line] {
        var lines = markedLines(content.text.setup, marks.bytes(of: .setup), to: width)
        if let punchline = content.text.punchline {
            lines.append(Line())
            lines +=
                isRevealedAtCursor
                ? markedLines(punchline, marks.bytes(of: .punchline), to: width, Style([], .accent))
                : wrapped("\(keys.name(of: .reveal)) shows the punchline", to: width).map { Line($0, .muted) }
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

    /// What there is to know of the section whose header the cursor is on.
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
        return sentences.flatMap { wrapped($0, to: width) }.map { Line($0) }
    }
}

// MARK: On the screen

extension Model {
    /// The list's lines with the details beside or below them, where they are shown.
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

    /// As many lines as there is room for; the last one says so where there are more.
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
