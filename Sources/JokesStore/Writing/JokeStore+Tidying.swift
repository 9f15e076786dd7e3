package import JokesCore
import SQLite

/// The result of a step of tidying.
package struct TidyingStep: Hashable, Sendable {
    /// The number of evicted jokes.
    package var removed: Int
    /// Whether nothing is left to do.
    package var isLast: Bool
}

/// The next step of tidying.
enum TidyingPhase {
    /// Evicts jokes beyond the limit of the cache.
    case room
    /// Evicts old jokes with keys above this one.
    case age(after: Int64)
    /// Removes groups whose jokes were evicted long ago.
    case memory
    /// Merges segments of the full-text index.
    case words
    /// Returns free pages of the file to the file system.
    case space
}

extension JokeStore {
    // Each step is a transaction.
    private static let removedInStep = 200
    private static let lookedAtInStep = 2_000
    private static let forgottenInStep = 2_000
    private static let pagesInStep = 256
    /// The free pages that stay in the file for the next changes: a number, and a part of all pages.
    private static let sparePages = (few: 256, part: 20)
    /// The minimum time between two evictions of old jokes.
    private static let agingInterval: Duration = .seconds(86_400)

    /// Keeps the cache within its limits and the file small, in steps. The caller repeats it until the last step, and lets
    /// others write in between.
    ///
    /// Favorites, their jokes and hidden jokes stay. A step takes a few milliseconds, also with 100,000 jokes; a merge of
    /// the full-text index sometimes takes 0.1 s.
    ///
    /// - Throws: `StoreError`; nothing of the step is done then, and the next step is the first one again.
    package func tidy(at now: Timestamp) throws(StoreError) -> TidyingStep {
        do {
            return try attempting("clean up the cache", on: path) { try nextTidyingStep(at: now) }
        } catch {
            tidying = .room
            throw error
        }
    }

    private func nextTidyingStep(at now: Timestamp) throws -> TidyingStep {
        switch tidying {
        case .room:
            let removed = try evict { eviction in
                try eviction.makeRoom(for: limits.jokes, atMost: Self.removedInStep, at: now)
            }
            if removed < Self.removedInStep { tidying = try isAgingDue(at: now) ? .age(after: 0) : .memory }
            return TidyingStep(removed: removed, isLast: false)
        case .age(let key):
            var last: Int64?
            let removed = try evict { eviction in
                last = try eviction.removeOld(
                    limits.age, after: key, looking: Self.lookedAtInStep, at: now, agedBefore: agedAt())
                if last == nil { try connection.set(.agedAt, to: "\(now.microseconds)") }
            }
            tidying = last.map { .age(after: $0) } ?? .memory
            return TidyingStep(removed: removed, isLast: false)
        case .memory:
            let forgotten = try connection.write {
                try Eviction(connection, rules).forget(beyond: limits.remembered, atMost: Self.forgottenInStep)
            }
            if forgotten < Self.forgottenInStep { tidying = .words }
            return TidyingStep(removed: 0, isLast: false)
        case .words:
            try tidyWords()
            tidying = .space
            return TidyingStep(removed: 0, isLast: false)
        case .space:
            let isLast = try !giveBackSpace()
            if isLast { tidying = .room }
            return TidyingStep(removed: 0, isLast: isLast)
        }
    }

    /// Removes some jokes of a source that is not configured. The caller repeats it until it returns 0, and lets others
    /// write in between. If the source is configured again, all its jokes are fetched again.
    ///
    /// - Returns: How many jokes were removed.
    package func forget(_ source: String, at now: Timestamp) throws(StoreError) -> Int {
        try attempting("remove the jokes of \(source)", on: path) {
            let key = try connection.sourceKey(source)
            let removed = try evict { eviction in
                try eviction.removeAll(of: key, atMost: Self.removedInStep, at: now)
            }
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
            try eviction.settle()
            return eviction.count
        }
    }

    private func isAgingDue(at now: Timestamp) throws -> Bool {
        guard let last = try agedAt() else { return true }
        let elapsed = now.timeSince(last)
        // The clock may have been set back.
        return elapsed >= Self.agingInterval || elapsed < .zero
    }

    /// The time at which old jokes were last evicted, by the clock of that time.
    private func agedAt() throws -> Timestamp? {
        try connection.setting(.agedAt).flatMap(Int64.init).map(Timestamp.init(microseconds:))
    }

    /// Returns some pages to the file system.
    ///
    /// - Returns: False if there was nothing to return.
    private func giveBackSpace() throws -> Bool {
        let free = try connection.number("PRAGMA freelist_count")
        let spare = max(Self.sparePages.few, try connection.number("PRAGMA page_count") / Self.sparePages.part)
        guard free > spare else { return false }
        try connection.write {
            try connection.execute("PRAGMA incremental_vacuum(\(min(Self.pagesInStep, free - spare)))")
        }
        // A file that was made without auto_vacuum returns none.
        return try connection.number("PRAGMA freelist_count") < free
    }
}
