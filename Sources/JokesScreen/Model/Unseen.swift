import Diffable
import JokesCore

extension Item {
    /// True for a joke that was never served as a random joke or joke of the day. Favorites do not say.
    var isUnseen: Bool {
        switch self {
        case .joke(let joke): !joke.isSeen
        case .found(let found): !found.joke.isSeen
        case .favorite, .loading, .unknown: false
        }
    }
}

extension Model {
    /// Moves to the next unseen joke of the section, and wraps at the end. From the favorites, moves to the section below.
    mutating func goToNextUnseen() -> [Effect] {
        guard let section = rows.snapshot.sectionIdentifiers.last, section != .favoriteJokes else {
            notice = Notice(text: "No unseen jokes here")
            return []
        }
        // The next joke is loading.
        if jump != nil || cursor == .more(section) { return [] }
        let isInSection = cursor.map { rows.section(of: $0) == section } ?? false
        folded.remove(section)
        if !isInSection, link == .live, rows.numberAbove(section) > 0 {
            goToFirstJoke()
            seeksUnseen = true
            return []
        }
        let start = isInSection ? cursor : nil
        let rest = rows.rows(after: start ?? .header(section))
        if let next = rest.first(where: isUnseenOrMore) {
            go(to: next)
            seeksUnseen = next == .more(section)
            return []
        }
        if rows.numberAbove(section) > 0 {
            goToFirstJoke()
            notice = Notice(text: "Wrapped to the first joke")
            return []
        }
        guard let first = rows.rows(after: .header(section)).first(where: isUnseenOrMore) else {
            notice = Notice(text: "No unseen jokes here")
            return []
        }
        notice = Notice(text: "Wrapped to the first unseen joke")
        go(to: first)
        return []
    }

    /// Continues to an unseen joke after more jokes are loaded, from the first new one.
    mutating func seekUnseenAtCursor() -> [Effect] {
        seeksUnseen = false
        return itemAtCursor?.isUnseen == true ? [] : goToNextUnseen()
    }

    /// True also for the row in place of the jokes that are not loaded, because they may be unseen.
    private func isUnseenOrMore(_ row: RowID) -> Bool {
        switch row {
        case .item(let item): snapshot?.item(for: item)?.isUnseen == true
        case .more: true
        case .header, .above: false
        }
    }
}

extension Rows {
    /// The rows below a row, up to the end of the list. O(1) for each row that is used
    fileprivate func rows(after start: RowID) -> some Sequence<RowID> {
        sequence(first: start) { row(after: $0) }.dropFirst()
    }
}
