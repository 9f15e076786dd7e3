/// The position of a row in a list, after which the next page begins. Stays valid when jokes or favorites change.
package struct PageCursor: Hashable, Sendable, CustomStringConvertible {
    /// A list with pages. The `description` of a cursor begins with the raw value.
    enum List: Character {
        case jokes = "j"
        case favorites = "f"
        case hidden = "h"
        case search = "s"
        case excluded = "e"

        /// True for lists that are sorted by time and key, not by key alone.
        var hasTimes: Bool { self == .favorites || self == .hidden }
    }

    let list: List
    /// The key of the last row of the previous page.
    let key: Int64
    /// The time of the last row; nil in lists without times.
    var time: Int64?
    /// The number of rows of the whole list when its first page was read.
    fileprivate(set) var total = 0

    package var description: String { "\(list.rawValue)" + (time.map { "\($0)." } ?? "") + "\(key).\(total)" }
}

extension PageCursor {
    /// Reads a `description`; nil if the text is anything else.
    package init?(_ description: String) {
        guard let list = description.first.flatMap(List.init(rawValue:)) else { return nil }
        let numbers = description.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == (list.hasTimes ? 3 : 2), let key = numbers[numbers.count - 2], key > 0,
            let total = numbers.last.flatMap({ $0 }).flatMap(Int.init(exactly:)), total > 0
        else { return nil }
        self.init(list: list, key: key, time: list.hasTimes ? numbers[0] : nil)
        self.total = total
        if self.description != description { return nil }
    }

    /// Checks that the cursor belongs to a list.
    ///
    /// - Throws: `StoreError` with code `wrongCursor` if not.
    func check(belongsTo list: List) throws(StoreError) {
        guard self.list == list else {
            throw StoreError(.wrongCursor, attempt: "continue the list", reason: "the cursor belongs to another list")
        }
    }
}

/// A page of a list, and the cursor of the next page.
package struct Page<Row: Sendable>: Sendable {
    package let rows: [Row]
    /// The number of rows of the whole list, which is the same on all pages.
    package let total: Int
    /// The cursor of the next page; nil on the last page.
    package let next: PageCursor?

    /// Creates a page of the first `limit` rows. `found` must have one more row if there is a next page.
    init(_ found: [(position: PageCursor, row: Row)], limit: Int, total: Int) {
        let kept = found.prefix(limit)
        rows = kept.map(\.row)
        self.total = total
        var next = found.count > limit ? kept.last?.position : nil
        next?.total = total
        self.next = next
    }
}
