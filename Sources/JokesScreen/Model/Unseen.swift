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
