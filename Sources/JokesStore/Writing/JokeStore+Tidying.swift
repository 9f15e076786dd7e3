package import JokesCore
import SQLite

/// What a step of tidying has done.
package struct TidyingStep: Hashable, Sendable {
    /// Jokes that it let go of.
    package var removed: Int
    /// Whether nothing is left to do.
    package var isLast: Bool
}

/// What tidying does next.
enum TidyingPhase {
    /// Lets go of jokes that are more than the cache keeps.
    case room
    /// Lets go of old jokes, of those whose keys are above.
    case age(after: Int64)
    /// Forgets what is known of texts that were let go of long ago.
    case memory
    /// Merges segments of the full-text index.
    case words
    /// Gives pages of the file back that hold nothing.
    case space
}

extension JokeStore {
    // Each step is a transaction.
    private static let removedInStep = 200
    private static let lookedAtInStep = 2_000
    private static let forgottenInStep = 2_000
    private static let pagesInStep = 256
    /// Pages that are free and stay so: what comes next needs some. And a part of all.
    private static let sparePages = (few: 256, part: 20)
    /// How often all jokes are looked at for their age.
    private static let agingInterval: Duration = .seconds(86_400)

    /// Does a step of what keeps the cache within its limits and the file without empty space; the caller goes on until
    /// one is the last, and lets others write in between.
    ///
    /// Favorites are not touched, nor are the jokes that they were made of, nor hidden marks. A step takes some
    /// milliseconds, also in a cache of 100,000; that which merges words now and then a tenth of a second there.
    ///
    /// - Throws: `StoreError`; nothing of the step is done then, and the next begins anew.
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

    /// Removes some jokes of a source that is not configured; the caller goes on until it returns 0, and lets others write
    /// in between. If the source is configured again, everything is fetched anew.
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
        // A clock that was set back says nothing of when that was.
        return elapsed >= Self.agingInterval || elapsed < .zero
    }

    /// When all jokes were last looked at for their age, by the clock of then.
    private func agedAt() throws -> Timestamp? {
        try connection.setting(.agedAt).flatMap(Int64.init).map(Timestamp.init(microseconds:))
    }

    /// Gives some pages back; false where as few are free as may stay so.
    private func giveBackSpace() throws -> Bool {
        let free = try connection.number("PRAGMA freelist_count")
        let spare = max(Self.sparePages.few, try connection.number("PRAGMA page_count") / Self.sparePages.part)
        guard free > spare else { return false }
        try connection.write {
            try connection.execute("PRAGMA incremental_vacuum(\(min(Self.pagesInStep, free - spare)))")
        }
        // None where the file was made without the means to.
        return try connection.number("PRAGMA freelist_count") < free
    }
}
