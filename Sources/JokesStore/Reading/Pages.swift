/// The position of a row in a list, after which the next page begins. It stays valid when jokes or favorites change.
package struct PageCursor: Hashable, Sendable, CustomStringConvertible {
    /// The key of the last row of the previous page.
    let key: Int64
    /// The time of this row in a list that is sorted by time and key; nil in a list that is sorted by key.
    var time: Int64?

    package var description: String { time.map { "\($0).\(key)" } ?? "\(key)" }
}

extension PageCursor {
    /// Reads a `description`; nil if the text is anything else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...2).contains(numbers.count), let last = numbers[numbers.count - 1], last > 0 else { return nil }
        self.init(key: last, time: numbers.count == 2 ? numbers[0] : nil)
        if self.description != description { return nil }
    }

    /// Checks that the cursor belongs to the list of favorites, or to the list of jokes.
    ///
    /// - Throws: `StoreError` with code `wrongCursor` if not.
    func check(isOfFavorites: Bool) throws(StoreError) {
        guard (time != nil) == isOfFavorites else {
            throw StoreError(.wrongCursor, attempt: "continue the list", reason: "the cursor belongs to another list")
        }
    }
}

/// A page of a list, and the cursor of the next page.
package struct Page<Row: Sendable>: Sendable {
    package let rows: [Row]
    /// The number of rows of the whole list.
    package let total: Int
    /// Nil for the last page.
    package let next: PageCursor?

    /// Creates a page of the first `limit` rows. `found` must have one more row if there is a next page.
    init(_ found: [(position: PageCursor, row: Row)], limit: Int, total: Int) {
        let kept = found.prefix(limit)
        rows = kept.map(\.row)
        self.total = total
        next = found.count > limit ? kept.last?.position : nil
    }
}
