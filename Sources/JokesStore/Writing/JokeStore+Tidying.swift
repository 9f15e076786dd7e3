package import JokesCore
import SQLite

/// The limits of the cache. `tidy` never removes favorites or hidden jokes: each favorite and each hidden mark raises
/// the limit by one joke.
package struct CacheLimits: Hashable, Sendable {
    /// The maximum number of jokes of all sources, with duplicates, without favorites and hidden jokes.
    package let maxJokes: Int
    /// The time after which a joke is removed if its source answers without it.
    package let maxAge: Duration
    /// The maximum number of groups without jokes, of about 100 bytes each. A joke that returns to its group still
    /// counts as served. A full cache refuses a joke whose group is empty.
    package let maxEmptyGroups: Int

    package init(maxJokes: Int = 100_000, maxAge: Duration = .seconds(365 * 86_400), maxEmptyGroups: Int = 100_000) {
        (self.maxJokes, self.maxAge, self.maxEmptyGroups) = (maxJokes, maxAge, maxEmptyGroups)
    }
}

/// A phase of tidying. Each phase takes one step or more, and each call of `tidy` is one step.
enum TidyingPhase {
    /// Evicts jokes beyond the limit of the cache.
    case eviction
    /// Removes old jokes whose keys are larger than `afterKey`. `isDue` is true once a day, and false if only jokes are
    /// removed that files no longer have.
    case aging(afterKey: Int64, isDue: Bool)
    /// Deletes the groups that were emptied first.
    case emptyGroups
    /// Merges segments of the full-text index.
    case indexMerge
    /// Returns free pages of the file to the file system.
    case vacuum
}

extension JokeStore {
    /// The maximum number of jokes that a step removes. Each step is a transaction.
    private static let maxRemoved = 200
    /// The maximum number of groups that a step deletes.
    private static let maxDeletedGroups = 2_000
    /// The maximum number of jokes that a step examines for their age.
    private static let maxExamined = 2_000
    /// The maximum number of free pages that a step returns, and the minimum number that stays for the next changes.
    private static let (maxReturnedPages, minSparePages) = (256, 256)

    /// Runs the next step to keep the cache within its limits and the file small. The caller repeats the call until the
    /// last step, and lets other callers write in between.
    ///
    /// Favorites, their jokes and hidden jokes stay. A step takes a few milliseconds, also with 100,000 jokes. Only a
    /// merge of the full-text index sometimes takes 0.1 s.
    ///
    /// - Returns: The number of removed jokes; `isLast` is true if nothing is left to do.
    /// - Throws: `StoreError`; the step has changed nothing then, and the next call begins again with the first step.
    package func tidy(at now: Timestamp) throws(StoreError) -> (removed: Int, isLast: Bool) {
        do {
            return try withOpenDatabase(to: "clean up the cache") {
                let removed = try runTidyingStep(at: now)
                return (removed ?? 0, isLast: removed == nil)
            }
        } catch {
            tidying = .eviction
            throw error
        }
    }

    /// Runs the next step. Returns the number of removed jokes; nil if nothing is left to do.
    private func runTidyingStep(at now: Timestamp) throws -> Int? {
        switch tidying {
        case .eviction:
            let removed = try removeJokes(at: now) { try $0.evict(beyond: limits.maxJokes, atMost: Self.maxRemoved) }
            if removed < Self.maxRemoved {
                let isDue = try isAgingDue(at: now)
                tidying = hasMissing || isDue ? .aging(afterKey: 0, isDue: isDue) : .emptyGroups
                hasMissing = false
            }
            return removed
        case .aging(let key, let isDue):
            var last: Int64?
            let removed = try removeJokes(at: now) { removal in
                last = try removal.removeOld(
                    limits.maxAge, after: key, examining: Self.maxExamined, at: now,
                    previousAging: isDue ? lastAgingAt() : nil)
                if isDue && last == nil { try connection.set(.lastAgingAt, to: "\(now.microseconds)") }
            }
            tidying = last.map { .aging(afterKey: $0, isDue: isDue) } ?? .emptyGroups
            return removed
        case .emptyGroups:
            let deleted = try connection.write {
                try JokeRemoval(connection, rules, at: now)
                    .deleteEmptyGroups(beyond: limits.maxEmptyGroups, atMost: Self.maxDeletedGroups)
            }
            if deleted < Self.maxDeletedGroups { tidying = .indexMerge }
        case .indexMerge:
            try mergeFullTextIndex()
            tidying = .vacuum
        case .vacuum:
            if try returnSpace() { break }
            connection.releaseMemory()
            tidying = .eviction
            return nil
        }
        return 0
    }

    /// Removes some jokes of a source that is not configured. The caller repeats the call until it returns 0, and lets
    /// other callers write in between.
    ///
    /// The last call also removes the state of the source. If the source is configured again, all its jokes are
    /// fetched.
    ///
    /// - Returns: The number of removed jokes.
    package func forget(_ source: String, at now: Timestamp) throws(StoreError) -> Int {
        try withOpenDatabase(to: "remove the jokes of \(source)") {
            let key = try connection.sourceKey(source)
            let removed = try removeJokes(at: now) { try $0.removeJokes(of: key, atMost: Self.maxRemoved) }
            if removed == 0 {
                try connection.write {
                    try connection.save(SourceState(), of: source)
                    try connection.prepare(
                        """
                        UPDATE sources SET evicted = 0, is_in_full_sync = 0, pass_key = NULL, is_in_answer = 0
                        WHERE key = ?
                        """
                    ).run(key)
                }
            }
            return removed
        }
    }

    /// Runs the body in a transaction. Returns the number of removed jokes.
    private func removeJokes(at now: Timestamp, _ body: (inout JokeRemoval) throws -> Void) throws -> Int {
        try connection.write {
            var removal = try JokeRemoval(connection, rules, at: now)
            try body(&removal)
            try removal.finish()
            return removal.count
        }
    }

    /// Returns true if the removal of old jokes is due: once a day.
    private func isAgingDue(at now: Timestamp) throws -> Bool {
        guard let last = try lastAgingAt() else { return true }
        // A negative time: the clock was set back.
        return !(.zero..<Duration.seconds(86_400)).contains(now.timeSince(last))
    }

    /// Returns the time at which old jokes were last removed. The clock may have been set since then.
    private func lastAgingAt() throws -> Timestamp? {
        try connection.setting(.lastAgingAt).flatMap(Int64.init).map(Timestamp.init(microseconds:))
    }

    /// Returns some free pages of the file to the file system.
    ///
    /// - Returns: False if no page was returned.
    private func returnSpace() throws -> Bool {
        let free = try connection.number("PRAGMA freelist_count")
        // The next changes reuse these pages.
        let spare = max(Self.minSparePages, try connection.number("PRAGMA page_count") / 20)
        guard free > spare else { return false }
        try connection.write {
            try connection.execute("PRAGMA incremental_vacuum(\(min(Self.maxReturnedPages, free - spare)))")
        }
        // A file without auto_vacuum keeps its free pages.
        return try connection.number("PRAGMA freelist_count") < free
    }

    /// Merges segments of the full-text index, for faster searches and a smaller file.
    ///
    /// Each change of the shown jokes adds a segment. A merge usually takes a few milliseconds. A merge of all words of
    /// 100,000 jokes, which is rare, takes 0.1 s (docs/decisions/0013).
    package func mergeFullTextIndex() throws(StoreError) {
        try writing("optimize the search index") {
            // The limit is larger than any index, so a merge is never partial.
            try connection.prepare("INSERT INTO shown_words (shown_words, rank) VALUES ('merge', ?)")
                .run(Int64(Int32.max))
        }
    }
}
