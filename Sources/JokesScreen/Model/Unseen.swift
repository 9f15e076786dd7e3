import Diffable
import JokesCore
import TextLayout

extension Item {
    /// True for a joke that was served as a random joke or joke of the day, or read here. Nil for favorites and other rows.
    private var hasBeenSeen: Bool? {
        switch self {
        case .joke(let joke): joke.isSeen
        case .found(let found): found.joke.isSeen
        case .favorite, .loading, .unknown: nil
        }
    }

    var isSeen: Bool { hasBeenSeen == true }

    var isUnseen: Bool { hasBeenSeen == false }
}

/// A search for an unseen joke of the list.
package struct UnseenSearch: Hashable, Sendable {
    let isForward: Bool
    /// True if it begins at an end of the list, not at the cursor.
    var isFromEnd = false
    var hasWrapped = false
}

extension Model {
    /// Moves to the next or previous unseen joke of the list, and wraps at the end. Begins at an end if the cursor is not in
    /// the list.
    mutating func goToUnseen(isForward: Bool) -> [Effect] {
        let isInList = cursor.map { $0 != .header(listed) && rows.section(of: $0) == listed } ?? false
        return seek(UnseenSearch(isForward: isForward, isFromEnd: !isInList || folded.contains(listed)))
    }

    mutating func seek(_ search: UnseenSearch) -> [Effect] {
        let section = listed
        folded.remove(section)
        let rows = rows
        let end = (first: rows.numberAbove(section), last: rows.numberOfMore(in: section))
        let (behind, ahead) = search.isForward ? (end.first, end.last) : (end.last, end.first)
        if search.isFromEnd, behind > 0,
            let request = jump(to: search.isForward ? .first : .last, then: .unseen(search))
        {
            return request
        }
        let edges = (first: rows.firstItem(of: section), last: rows.lastItem(of: section))
        let start = search.isFromEnd ? nil : cursor
        let first = start.map { search.isForward ? rows.row(after: $0) : rows.row(before: $0) }
        let rest = sequence(first: first ?? (search.isForward ? edges.first : edges.last)) { row in
            row.flatMap { search.isForward ? rows.row(after: $0) : rows.row(before: $0) }
        }
        let inList = rest.lazy.compactMap(\.self).prefix { $0 != .header(section) && rows.section(of: $0) == section }
        let isUnseen = { (row: RowID) in
            if case .item(let item) = row { rows.snapshot.item(for: item)?.isUnseen == true } else { false }
        }
        if let next = inList.first(where: isUnseen) {
            if search.hasWrapped {
                notice = Notice(text: "Wrapped to the \(search.isForward ? "first" : "last") unseen joke")
            }
            go(to: next)
            return []
        }
        var next = search
        if ahead > 0 {
            go(to: search.isForward ? edges.last : edges.first)
            next.isFromEnd = false
            if let request = jump(to: .cursor, then: .unseen(next)) { return request }
        } else if !search.hasWrapped, !search.isFromEnd {
            (next.isFromEnd, next.hasWrapped) = (true, true)
            return seek(next)
        }
        notice = Notice(text: "No unseen jokes here")
        return []
    }
}

// MARK: Reading

extension Model {
    /// Starts the timer for an unseen joke whose whole text has come on the screen: the one at the cursor, if it has no
    /// punchline or shows it. Called after each message.
    mutating func followReading() -> [Effect] {
        if keptUnseen != jokeAtCursor { keptUnseen = nil }
        let before = reading
        reading = nil
        guard link == .live, page == nil || page?.kind == .details, case .item(let id) = cursor,
            let item = itemAtCursor, item.isUnseen,
            id.joke != keptUnseen, item.content?.text.punchline == nil || revealed.contains(id)
        else { return [] }
        reading = id.joke
        return reading == before ? [] : [.startTimer(.reading)]
    }

    /// Marks the joke that was read as seen.
    mutating func endReading() -> [Effect] { reading.map { [.send(.markSeen($0, isSeen: true))] } ?? [] }

    mutating func toggleSeen() -> [Effect] {
        guard let item = shownItem, let joke = item.id.joke, isConnected(else: "Not marked: not connected") else {
            return []
        }
        if case .favorite = item {
            notice = Notice(text: "Favorites are not marked as seen")
            return []
        }
        let isSeen = item.isUnseen
        keptUnseen = isSeen ? nil : joke
        notice = Notice(text: "Marked as \(isSeen ? "seen" : "unseen"); \(keys.name(of: .seen)) undoes")
        return [.send(.markSeen(joke, isSeen: isSeen))]
    }

    /// Marks all jokes that the filters select as seen, if the key is pressed again.
    mutating func markAllSeen() -> [Effect] {
        guard isConnected(else: "Not marked: not connected") else { return [] }
        guard confirmsAllSeen else {
            confirmsAllSeen = true
            let count = search == nil ? snapshot?.sections.last.map(\.jokeCount) ?? 0 : lastHeader?.shown ?? 0
            let which = filterNames.isEmpty ? "" : " of the filter"
            notice = Notice(
                text: "Press \(keys.name(of: .allSeen)) to mark all \(count) jokes\(which) as seen; there is no undo",
                role: .warning)
            return []
        }
        return [.send(.markAllSeen(selection))]
    }
}
