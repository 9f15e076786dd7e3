package import JokesCore
import SQLite

/// The limits of the cache. Favorites and hidden jokes do not count, and are never evicted.
package struct CacheLimits: Hashable, Sendable {
    /// The maximum number of jokes of all sources, with duplicates, without favorites and hidden jokes.
    package let jokes: Int
    /// The time after which a joke is removed if its source returns other jokes, but not this one.
    package let age: Duration
    /// The maximum number of evicted texts that still count as served, and that a full cache refuses: 100 bytes each.
    package let maxEvictedGroups: Int

    package init(jokes: Int = 100_000, age: Duration = .seconds(365 * 86_400), maxEvictedGroups: Int = 100_000) {
        (self.jokes, self.age, self.maxEvictedGroups) = (jokes, age, maxEvictedGroups)
    }
}

/// The next step of tidying.
enum TidyingPhase {
    /// Evicts jokes beyond the limit of the cache.
    case room
    /// Evicts old jokes with keys above this one.
    case age(after: Int64)
    /// Removes groups whose jokes were evicted long ago.
    case emptyGroups
    /// Merges segments of the full-text index.
    case words
    /// Returns free pages of the file to the file system.
    case space
}

extension JokeStore {
    /// The maximum number of jokes that a step removes. Each step is a transaction.
    private static let maxRemoved = 200
    private static let maxDeletedGroups = 2_000
    /// The maximum number of jokes that a step examines for their age.
    private static let maxExamined = 2_000
    /// The maximum number of pages that a step returns, and the minimum number that stays for the next changes.
    private static let (maxReturnedPages, minSparePages) = (256, 256)

    /// Keeps the cache within its limits and the file small, in steps. The caller repeats it until the last step, and
    /// lets others write in between.
    ///
    /// Favorites, their jokes and hidden jokes stay. A step takes a few milliseconds, also with 100,000 jokes; a merge of
    /// the full-text index sometimes takes 0.1 s.
    ///
    /// - Returns: The number of evicted jokes, and whether nothing is left to do.
    /// - Throws: `StoreError`; nothing of the step is done then, and the next step is the first one again.
    package func tidy(at now: Timestamp) throws(StoreError) -> (removed: Int, isLast: Bool) {
        do {
            return try attempting("clean up the cache", on: path) {
                let removed = try nextTidyingStep(at: now)
                return (removed ?? 0, isLast: removed == nil)
            }
        } catch {
            tidying = .room
            throw error
        }
    }

    /// Returns the number of removed jokes; nil if nothing is left to do.
    private func nextTidyingStep(at now: Timestamp) throws -> Int? {
        switch tidying {
        case .room:
            let removed = try evict { try $0.makeRoom(for: limits.jokes, atMost: Self.maxRemoved, at: now) }
            if removed < Self.maxRemoved { tidying = try isAgingDue(at: now) ? .age(after: 0) : .emptyGroups }
            return removed
        case .age(let key):
            var last: Int64?
            let removed = try evict { eviction in
                last = try eviction.removeOld(
                    limits.age, after: key, examining: Self.maxExamined, at: now, previousAging: lastAgingAt())
                if last == nil { try connection.set(.lastAgingAt, to: "\(now.microseconds)") }
            }
            tidying = last.map { .age(after: $0) } ?? .emptyGroups
            return removed
        case .emptyGroups:
            let deleted = try connection.write {
                try Eviction(connection, rules)
                    .deleteEmptyGroups(beyond: limits.maxEvictedGroups, atMost: Self.maxDeletedGroups)
            }
            if deleted < Self.maxDeletedGroups { tidying = .words }
        case .words:
            try mergeWordIndex()
            tidying = .space
        case .space:
            if try returnSpace() { break }
            tidying = .room
            return nil
        }
        return 0
    }

    /// Removes some jokes of a source that is not configured. The caller repeats it until it returns 0, and lets others
    /// write in between. If the source is configured again, all its jokes are fetched again.
    ///
    /// - Returns: The number of removed jokes.
    package func forget(_ source: String, at now: Timestamp) throws(StoreError) -> Int {
        try attempting("remove the jokes of \(source)", on: path) {
            let key = try connection.sourceKey(source)
            let removed = try evict { try $0.removeAll(of: key, atMost: Self.maxRemoved, at: now) }
            if removed == 0 {
                try connection.write {
                    try connection.save(SourceState(), of: source)
                    try connection.prepare("UPDATE sources SET evicted = 0, is_in_full_sync = 0 WHERE key = ?").run(key)
                }
            }
            return removed
        }
    }

    private func evict(_ body: (inout Eviction) throws -> Void) throws -> Int {
        try connection.write {
            var eviction = try Eviction(connection, rules)
            try body(&eviction)
            try eviction.flush()
            return eviction.count
        }
    }

    private func isAgingDue(at now: Timestamp) throws -> Bool {
        guard let last = try lastAgingAt() else { return true }
        // Once a day, and if the clock was set back.
        return !(.zero..<Duration.seconds(86_400)).contains(now.timeSince(last))
    }

    /// The time at which old jokes were last evicted, by the clock of that time.
    private func lastAgingAt() throws -> Timestamp? {
        try connection.setting(.lastAgingAt).flatMap(Int64.init).map(Timestamp.init(microseconds:))
    }

    /// Returns some pages to the file system. Returns false if there were none.
    private func returnSpace() throws -> Bool {
        let free = try connection.number("PRAGMA freelist_count")
        // The next changes use these.
        let spare = max(Self.minSparePages, try connection.number("PRAGMA page_count") / 20)
        guard free > spare else { return false }
        try connection.write {
            try connection.execute("PRAGMA incremental_vacuum(\(min(Self.maxReturnedPages, free - spare)))")
        }
        // A file without auto_vacuum returns none.
        return try connection.number("PRAGMA freelist_count") < free
    }

    /// Merges segments of the full-text index, for faster searches and a smaller file.
    ///
    /// Each change of the shown jokes adds a segment. A merge usually takes a few milliseconds, and rarely 0.1 s: if it
    /// has all words of 100,000 jokes (docs/decisions/0013).
    ///
    /// - Returns: False if there was nothing to merge.
    @discardableResult
    package func mergeWordIndex() throws(StoreError) -> Bool {
        try attempting("optimize the search index", on: path) {
            let before = connection.totalChanges
            try connection.write {
                // More pages than any index has: a merge is never partial.
                try connection.prepare("INSERT INTO shown_words (shown_words, rank) VALUES ('merge', ?)")
                    .run(Int64(Int32.max))
            }
            // The statement itself is one of the changes.
            return connection.totalChanges - before >= 2
        }
    }
}
