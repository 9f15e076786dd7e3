/// A place in a list, from which its next page goes on; it stays good while jokes come and go, and among the favorites
/// until an import puts some between those that are there.
package struct PageCursor: Hashable, Sendable, CustomStringConvertible {
    /// The key of the last row of the page before.
    let key: Int64
    /// Which keys the list had then; 0 where it never had others.
    let order: Int64

    init(key: Int64, order: Int64 = 0) {
        self.key = key
        self.order = order
    }

    /// Reads what `description` wrote; nil where it is something else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) ?? 0 }
        guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 }) else { return nil }
        key = numbers[0]
        order = numbers.count == 2 ? numbers[1] : 0
        if self.description != description { return nil }
    }

    package var description: String {
        order == 0 ? "\(key)" : "\(key).\(order)"
    }

    /// - Throws: `StoreError` with `.wrongCursor` where the list has other keys than when this was made.
    func check(_ order: Int64) throws(StoreError) {
        guard order == self.order else {
            throw StoreError(.wrongCursor, attempt: "continue the list", reason: "the order has changed")
        }
    }
}

/// A part of a list, and where the rest begins.
package struct Page<Row: Sendable>: Sendable {
    package var rows: [Row]
    /// How many the whole list has.
    package var total: Int
    /// Nil where this is the end.
    package var next: PageCursor?

    /// Takes rows with their places, one more than the limit where there is a next page.
    init(_ found: [(place: PageCursor, row: Row)], limit: Int, total: Int) {
        let kept = found.prefix(limit)
        rows = kept.map(\.row)
        self.total = total
        next = found.count > limit ? kept.last?.place : nil
    }

    /// The page of an empty list.
    package init() {
        rows = []
        total = 0
    }
}

extension Page: Equatable where Row: Equatable {}

/// How many jokes there are.
package struct JokeCounts: Hashable, Sendable {
    /// Of one source, by its name.
    package struct OfSource: Hashable, Sendable {
        /// All that it told, missing and filtered ones too.
        package var stored: Int
        /// Those that are shown as its own.
        package var shown: Int
        /// Those for which a full cache had no room, and which were not fetched again since.
        package var evicted: Int
        /// Whether the configuration had the source, and no longer has it.
        package var isRemoved: Bool

        package init(stored: Int, shown: Int, evicted: Int = 0, isRemoved: Bool = false) {
            self.stored = stored
            self.shown = shown
            self.evicted = evicted
            self.isRemoved = isRemoved
        }
    }

    package var sources: [String: OfSource]
    /// Those that pass the filters.
    package var favorites: Int
    /// Those that are kept and that the filters leave out.
    package var favoritesLeftOut: Int
    /// Hidden marks, also of texts that are not stored.
    package var hidden: Int

    package init(sources: [String: OfSource], favorites: Int, favoritesLeftOut: Int = 0, hidden: Int = 0) {
        self.sources = sources
        self.favorites = favorites
        self.favoritesLeftOut = favoritesLeftOut
        self.hidden = hidden
    }

    /// How many jokes of all sources a full cache had no room for.
    package var evicted: Int {
        sources.values.reduce(0) { $0 + $1.evicted }
    }

    /// What the cache keeps beyond its limit.
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
