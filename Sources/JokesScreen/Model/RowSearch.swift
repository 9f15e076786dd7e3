import Diffable
import JokesCore

/// A search for a row of the list: the next unseen joke, or the next search result.
struct RowSearch: Hashable, Sendable {
    let isForUnseen: Bool
    let isForward: Bool
    /// True if it begins at an end of the list, not at the cursor.
    var isFromEnd: Bool
    var hasWrapped = false
}

extension Model {
    /// Moves to the next or previous unseen joke or search result, and wraps at the end. Begins at an end if the cursor is
    /// not in the list.
    mutating func find(isForUnseen: Bool, isForward: Bool) -> [Effect] {
        let isInList = cursor.map { $0 != .header(listed) && rows.section(of: $0) == listed } ?? false
        return find(RowSearch(isForUnseen: isForUnseen, isForward: isForward, isFromEnd: !isInList))
    }

    mutating func find(_ search: RowSearch) -> [Effect] {
        let section = listed
        unfold(section)
        let rows = rows
        let loaded = rows.numbers(in: section)
        let isForward = search.isForward
        let hasMore = (before: loaded.lowerBound > 0, after: rows.numberOfMore(in: section) > 0)
        if search.isFromEnd, isForward ? hasMore.before : hasMore.after,
            let request = jump(to: window(around: isForward ? 0 : .max), then: .find(search))
        {
            return request
        }
        let step = isForward ? 1 : -1
        let (first, last) = (loaded.lowerBound, loaded.upperBound - 1)
        let (begin, edge) = isForward ? (first, last) : (last, first)
        let numbers = stride(from: search.isFromEnd ? begin : numberOfCursor + step, through: edge, by: step)
        let found = numbers.lazy.compactMap { rows.item($0, in: section) }.first { row in
            guard search.isForUnseen, case .item(let item) = row else { return true }
            return rows.snapshot.item(for: item)?.isUnseen == true
        }
        if let found {
            let kind = search.isForUnseen ? "unseen joke" : "match"
            if search.hasWrapped { notice = Notice(text: "Wrapped to the \(isForward ? "first" : "last") \(kind)") }
            go(to: found)
            return []
        }
        var next = search
        if isForward ? hasMore.after : hasMore.before {
            go(to: rows.item(edge, in: section))
            next.isFromEnd = false
            if let request = jump(to: window(isForward: isForward), then: .find(next)) { return request }
        }
        if !search.hasWrapped, !search.isFromEnd {
            (next.isFromEnd, next.hasWrapped) = (true, true)
            return find(next)
        }
        let none =
            isAwaitingSnapshot ? "Still searching\u{2026}" : "No matches; \(keys.name(of: .search)) edits the search"
        notice = Notice(text: search.isForUnseen ? "No unseen jokes here" : none)
        return []
    }
}
