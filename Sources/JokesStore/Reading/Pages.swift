/// The position of a row in a list, after which the next page begins. It stays valid when jokes or favorites change.
package struct PageCursor: Hashable, Sendable, CustomStringConvertible {
    /// The key of the last row of the page before.
    let key: Int64
    /// The time that the list is sorted by before the key; nil if it is sorted by the key alone.
    let time: Int64?

    init(key: Int64, time: Int64? = nil) {
        self.key = key
        self.time = time
    }

    /// Parses the form of `description`; nil for anything else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...2).contains(numbers.count), let last = numbers[numbers.count - 1], last > 0 else { return nil }
        key = last
        time = numbers.count == 2 ? numbers[0] : nil
        if self.description != description { return nil }
    }

    /// - Throws: `StoreError` with code `wrongCursor` if it is the cursor of another list.
    func check(isOfFavorites: Bool) throws(StoreError) {
        guard (time != nil) == isOfFavorites else {
            throw StoreError(.wrongCursor, attempt: "continue the list", reason: "the cursor belongs to another list")
        }
    }

    package var description: String {
        time.map { "\($0).\(key)" } ?? "\(key)"
    }
}

/// A page of a list, and the cursor of the next page.
package struct Page<Row: Sendable>: Sendable {
    package var rows: [Row]
    /// The number of rows of the whole list.
    package var total: Int
    /// Nil for the last page.
    package var next: PageCursor?

    /// - Parameters:
    ///   - found: Rows with their positions, one more than the limit if there is a next page.
    ///   - limit: The maximum number of rows of the page.
    ///   - total: The number of rows of the whole list.
    init(_ found: [(position: PageCursor, row: Row)], limit: Int, total: Int) {
        let kept = found.prefix(limit)
        rows = kept.map(\.row)
        self.total = total
        next = found.count > limit ? kept.last?.position : nil
    }

    /// The page of an empty list.
    package init() {
        rows = []
        total = 0
    }
}

extension Page: Equatable where Row: Equatable {}

/// Numbers of jokes.
package struct JokeCounts: Hashable, Sendable {
    /// The numbers of one source.
    package struct OfSource: Hashable, Sendable {
        /// All cached jokes, including missing and excluded ones.
        package var stored: Int
        /// The jokes that are shown with this source.
        package var shown: Int
        /// The jokes that a full cache has evicted and not taken again.
        package var evicted: Int
        /// Whether the source is no longer configured.
        package var isRemoved: Bool

        package init(stored: Int, shown: Int, evicted: Int = 0, isRemoved: Bool = false) {
            self.stored = stored
            self.shown = shown
            self.evicted = evicted
            self.isRemoved = isRemoved
        }
    }

    package var sources: [String: OfSource]
    /// The favorites that pass the filters.
    package var favorites: Int
    /// The favorites that the filters exclude.
    package var favoritesLeftOut: Int
    /// Hidden marks, also of texts that are not stored.
    package var hidden: Int

    package init(sources: [String: OfSource], favorites: Int, favoritesLeftOut: Int = 0, hidden: Int = 0) {
        self.sources = sources
        self.favorites = favorites
        self.favoritesLeftOut = favoritesLeftOut
        self.hidden = hidden
    }

    /// The number of evicted jokes of all sources.
    package var evicted: Int {
        sources.values.reduce(0) { $0 + $1.evicted }
    }

    /// The number of favorites and hidden marks, which the cache keeps beyond its limit.
    package var marks: Int {
        favorites + favoritesLeftOut + hidden
    }

    package var stored: Int {
        sources.values.reduce(0) { $0 + $1.stored }
    }

    /// Different jokes that pass the filters and are not hidden.
    package var shown: Int {
        sources.values.reduce(0) { $0 + $1.shown }
    }
}
