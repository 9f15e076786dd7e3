package import JokesCore
import SQLite
package import Unix

/// The jokes, the favorites and the state of the sources: the one writer of the database.
///
/// Its calls block the thread of its executor while they read and write. Readers (`JokeReader`) see all earlier commits.
/// A call that throws has stored nothing.
package actor JokeStore {
    private let executor: any SerialExecutor
    let opening: StoreOpening
    /// Nil from the discovery of damage until the recovery.
    var opened: Connection?
    /// Connections that are never closed: closing one would release all POSIX locks of the process on its file.
    var keptOpen: [Connection] = []
    /// The reason why the database could not be opened for writing; nil if it is open for writing.
    var writeError: StoreError?
    /// The remaining lock timeout of the current change; nil means the default.
    var remainingTimeout: Duration? {
        // Setting the timeout fails only with SQLITE_MISUSE.
        didSet { try? opened?.waitForLocks(atMost: remainingTimeout ?? opening.lockTimeout) }
    }
    /// The damage of the database. All calls are refused until `recover`.
    var damage: StoreError?
    /// The damaged database, from when it was renamed until a new one is open.
    var replacedDatabase: ReplacedDatabase?
    /// Nil unless the database is open for writing.
    var journal: Journal?
    var onDamage: (@Sendable (StoreError) -> Void)?
    /// The files that `opened` has open.
    var held: HeldFiles
    /// The recovery of removed files, until it is recorded in the database and passed to `onRestored`.
    var unrecordedRecovery: Recovery?
    var onRestored: (@Sendable (Recovery) -> Void)?
    var rules: DisplayRules
    private(set) var limits = CacheLimits()
    /// The next step of `tidy`.
    var tidying = TidyingPhase.room
    var randomness: any RandomNumberGenerator & Sendable

    package nonisolated var path: String { opening.files.database }
    nonisolated let sharing: StoreSharing
    package nonisolated let recovery: Recovery?
    /// The reason why nothing could be written at the start; nil if changes can be stored. The next change tries again.
    package nonisolated let writeErrorAtOpening: StoreError?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The open database, within `attempting`.
    var connection: Connection {
        guard let opened else { preconditionFailure("used outside of an attempt") }
        return opened
    }

    /// Opens the database in a folder, which must exist, and creates it for its owner alone if there is none.
    ///
    /// Blocks the caller: under a millisecond with few favorites, longer if the schema or the rules have changed. A
    /// damaged database is renamed, and the favorites come from the journal (`recovery`). If nothing can be written,
    /// the existing jokes are served (`writeErrorAtOpening`).
    ///
    /// The lock on the folder is taken again if the folder is removed. `lockTimeout` limits the time that a call waits
    /// for a lock of another process.
    ///
    /// - Throws: `StoreError`, with code `newerSchema` if a newer version wrote the file, which stays unchanged.
    package init(
        folder: String, executor: any SerialExecutor, rules: DisplayRules, lock: StateLock? = nil,
        lockTimeout: Duration = .seconds(5),
        clock: @escaping @Sendable () -> Timestamp = { Timestamp(microseconds: wallClockMicroseconds()) },
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(StoreError) {
        opening = StoreOpening(files: StoreFiles(folder: folder), lock: lock, lockTimeout: lockTimeout, clock: clock)
        let opened = try opening.open(rules)
        self.opened = opened.connection
        journal = opened.journal
        held = HeldFiles(opening.files, isWriting: opened.readerAccess == .reading)
        writeError = opened.writeError
        writeErrorAtOpening = opened.writeError
        recovery = opened.recovery
        sharing = StoreSharing(opened.readerAccess)
        self.executor = executor
        self.rules = rules
        self.randomness = randomness
    }

    /// Applies other rules. Equal rules change nothing.
    package func adopt(_ rules: DisplayRules) throws(StoreError) {
        guard rules != self.rules else { return }
        try attempting("apply the configuration", on: path) {
            try connection.adopt(rules)
            self.rules = rules
        }
    }

    /// Sets the limits of the cache, which `tidy` and later batches follow.
    package func adopt(_ limits: CacheLimits) {
        self.limits = limits
        tidying = .room
    }

    /// Stores a batch of a source's jokes, the newest last: all or none. A power loss may undo the whole batch.
    ///
    /// A favorite waits until the batch is done: 0.1 to 0.2 s for a few thousand jokes.
    ///
    /// `position` is the position after which the sync continues, stored in the same transaction; nil keeps the stored
    /// one.
    package func ingest(
        _ jokes: [NormalizedJoke], from source: String, at now: Timestamp, part: FullSyncPart = .outside,
        position: SourcePosition? = nil
    ) throws(StoreError) -> IngestReport {
        try attempting("store jokes of \(source)", on: path) {
            let isLarge = jokes.count >= 400
            // A batch changes most pages of some indexes: they stay in memory until the end of the sync. More pages in
            // the WAL would make a checkpoint stop the other syncs for 0.3 s.
            if isLarge { try connection.reservePages(cachedKibibytes: 8 << 10, logged: Connection.usualWALPages) }
            var keepsPages = false
            defer { if !keepsPages { connection.releasePages() } }
            // The foreign-key check takes a quarter of the time of a large batch. A test checks all references after each
            // step.
            let report = try connection.write(checksReferences: !isLarge) {
                var ingest = try Ingest(
                    connection, rules: rules, limits: limits, source: source, at: now, part: part,
                    randomness: randomness)
                defer { randomness = ingest.randomness }
                let report = try ingest.run(jokes)
                if let position { try connection.save(position, of: source) }
                return report
            }
            keepsPages = isLarge && !part.completes
            return report
        }
    }

    /// Stores the position of a source, and nothing else of its state.
    package func save(_ position: SourcePosition, of source: String) throws(StoreError) {
        try attempting("store the position of \(source)", on: path) {
            try connection.write { try connection.save(position, of: source) }
        }
    }

    /// Stores the time at which the rate limit of a source is reset, and nothing else of its state.
    package func saveRateLimit(resetAt: Timestamp?, of source: String) throws(StoreError) {
        try attempting("store the rate limit of \(source)", on: path) {
            try connection.write {
                try connection.prepare("UPDATE sources SET rate_limit_reset_at = ? WHERE key = ?")
                    .run(resetAt, try connection.sourceKey(source))
            }
        }
    }

    /// Stores the state of a source after a sync, and releases the memory of its batches.
    package func save(_ state: SourceState, of source: String) throws(StoreError) {
        try attempting("store the state of \(source)", on: path) {
            defer { connection.releasePages() }
            try connection.write { try connection.save(state, of: source) }
        }
    }

    /// Records random jokes that a reader has served (`JokeReader.unrecorded`).
    package func record(_ deliveries: Deliveries, at now: Timestamp) throws(StoreError) {
        guard !deliveries.isEmpty else { return }
        try attempting("record the served jokes", on: path) {
            try connection.write {
                let update = try connection.prepare(
                    "UPDATE groups SET serve_count = serve_count + ?, served_at = ?, round = ?, shuffle = ? WHERE key = ?"
                )
                for (group, count) in deliveries.counts {
                    // `lastServed` finds the last joke by the largest time.
                    let time = group == deliveries.last ? Timestamp(microseconds: now.microseconds + 1) : now
                    let shuffle = ShownJokes.shuffle(group, using: &randomness)
                    try update.run(count.served, time, count.round, shuffle, group)
                }
            }
        }
    }

    /// Runs the body on the actor without suspension.
    ///
    /// `lockTimeout` counts from `requestedAt`, because earlier changes may have waited for the same lock. At least one
    /// attempt is made.
    ///
    /// - Returns: The result of the body, and whether anything was written, which shows that changes can be stored.
    package func change<Result>(
        requestedAt: BootInstant, _ body: (isolated JokeStore) throws -> Result
    ) throws -> (result: Result, hasWritten: Bool) {
        remainingTimeout = max(.zero, opening.lockTimeout - requestedAt.duration(to: .now))
        defer { remainingTimeout = nil }
        let (before, written) = (opened, opened?.committedChanges)
        let result = try body(self)
        return (result, opened !== before || opened?.committedChanges != written)
    }
}
