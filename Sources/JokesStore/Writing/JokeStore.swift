package import JokesCore
import SQLite
package import Unix

/// The jokes, the favorites and the state of the sources: the one writer of the database.
///
/// Lives on the executor it is given, whose thread its calls block for as long as they read and write. Readers beside
/// it (`JokeReader`) see what was committed before they ask. A call that throws has changed nothing.
package actor JokeStore {
    private let executor: any SerialExecutor
    let opening: StoreOpening
    /// Nil from when damage was met until it has been recovered from.
    var opened: Connection?
    /// Kept until the end: to close a file that is open twice would drop the locks on it.
    var retired: [Connection] = []
    /// Why nothing could be written when it was tried last; nil where it can, as far as is known.
    var refusal: StoreError?
    /// How long the change that is made may still wait for a lock; nil for as long as any may.
    var patience: Duration? {
        // Only misuse makes it fail.
        didSet { try? opened?.waitForLocks(atMost: patience ?? opening.lockTimeout) }
    }
    /// What was found to be wrong with the database: nothing is done until `recover`.
    var damage: StoreError?
    /// The damaged database, from when it was set aside until a new one is open.
    var setAside: SetAsideDatabase?
    /// Open whenever the database is open for writing.
    var journal: Journal?
    var tellOfDamage: (@Sendable (StoreError) -> Void)?
    /// The files that `opened` has open.
    var held: HeldFiles
    /// The recovery of removed files, until it is recorded in the database and passed to `tellOfRestoring`.
    var restored: Recovery?
    var tellOfRestoring: (@Sendable (Recovery) -> Void)?
    var rules: ShowingRules
    private(set) var limits = CacheLimits()
    /// What `tidy` does next.
    var tidying = TidyingPhase.room
    var randomness: any RandomNumberGenerator & Sendable

    package nonisolated let path: String
    /// How readers are to open the file.
    nonisolated let sharing: StoreSharing
    /// What became of the database that was found when this was opened, where that was damaged.
    package nonisolated let recovery: Recovery?
    /// Why nothing could be written when this was opened; nil where it could. The next change tries again.
    package nonisolated let refusalAtOpening: StoreError?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Open whenever `attempting` runs what it is given, and so wherever this is asked for.
    var connection: Connection {
        guard let opened else { preconditionFailure("asked for outside of what is attempted") }
        return opened
    }

    /// Opens the database in a folder, which must exist; makes it, for its owner alone, where there is none.
    ///
    /// Blocks the caller: under a millisecond where nothing is to be done and there are few favorites, longer where the
    /// schema or the rules have changed. A damaged database is moved aside, and what can be read of favorites is in the
    /// new one (`recovery`); that reads all of it. Where nothing can be written, what is there is served
    /// (`refusalAtOpening`).
    ///
    /// - Parameters:
    ///   - folder: The state folder; the file in it is `jokes.sqlite`.
    ///   - executor: Where the store's work runs; a thread of its own, since it blocks.
    ///   - rules: What decides which jokes are shown.
    ///   - lock: The lock on the folder, taken again if the folder is removed.
    ///   - lockTimeout: How long a call waits for a lock that another process holds.
    ///   - clock: The wall clock, for what is written of recoveries.
    ///   - randomness: Shuffles the jokes.
    /// - Throws: `StoreError`, with `.newerSchema` and `.foreign` where the file is not one to be opened; it is left as
    ///   it is.
    package init(
        folder: String, executor: any SerialExecutor, rules: ShowingRules, lock: StateLock? = nil,
        lockTimeout: Duration = .seconds(5),
        clock: @escaping @Sendable () -> Timestamp = { Timestamp(microseconds: wallClockMicroseconds()) },
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(StoreError) {
        opening = StoreOpening(
            files: StoreFiles(folder: folder), lock: lock, lockTimeout: lockTimeout, clock: clock)
        let opened = try opening.open(rules)
        self.opened = opened.connection
        journal = opened.journal
        held = HeldFiles(opening.files, isWriting: opened.readerAccess == .reading)
        refusal = opened.refusal
        refusalAtOpening = opened.refusal
        recovery = opened.recovery
        sharing = StoreSharing(opened.readerAccess)
        path = opening.files.database
        self.executor = executor
        self.rules = rules
        self.randomness = randomness
    }

    /// Shows what these rules say from now on; does nothing where they are those in force.
    package func adopt(_ rules: ShowingRules) throws(StoreError) {
        guard rules != self.rules else { return }
        try attempting("apply the configuration", on: path) {
            try connection.adopt(rules)
            self.rules = rules
        }
    }

    /// Keeps so much from now on: what `tidy` follows, and what comes again that was let go of.
    package func adopt(_ limits: CacheLimits) {
        self.limits = limits
        tidying = .room
    }

    /// Stores a batch of a source's jokes, whole or not at all: at a loss of power it may be gone, but never in part.
    ///
    /// A favorite waits until the batch is done: batches of some thousands keep that to a tenth of a second or two.
    ///
    /// - Parameters:
    ///   - jokes: Those that come later in it are newer.
    ///   - source: The name of the source, which all of them are from.
    ///   - now: The time of the fetch.
    ///   - part: How the batch stands in a sweep: what is missing follows from it.
    ///   - position: Saved in the same transaction, so that a sync goes on behind what is stored; nil keeps what is
    ///     saved.
    /// - Returns: What each joke was to the store.
    /// - Throws: `StoreError`; nothing of the batch is stored then.
    package func ingest(
        _ jokes: [NormalizedJoke], from source: String, at now: Timestamp, part: SweepPart = .outside,
        position: SourcePosition? = nil
    ) throws(StoreError) -> IngestReport {
        try attempting("store jokes of \(source)", on: path) {
            let isLarge = jokes.count >= 400
            let hasMore = isLarge && !part.completes
            // A new joke touches a page of each index, and so a batch most pages of some: they stay in memory from one
            // batch to the next. More pages in the WAL would make a checkpoint stop the other syncs for 0.3 s.
            if isLarge {
                try connection.takePages(cachedKibibytes: 8 << 10, logged: Connection.usualLogPages)
            }
            var isDone = false
            defer { if !hasMore || !isDone { connection.giveBackPages() } }
            // To check them takes a quarter of a large batch's time; a test looks after every step that all hold.
            let report = try connection.write(checksReferences: !isLarge) {
                var ingest = try Ingest(
                    connection, rules: rules, limits: limits, source: source, at: now, part: part,
                    randomness: randomness)
                defer { randomness = ingest.randomness }
                let report = try ingest.run(jokes)
                if let position { try connection.save(position, of: source) }
                return report
            }
            isDone = true
            return report
        }
    }

    /// Stores where a source goes on, and nothing else of its state.
    package func save(_ position: SourcePosition, of source: String) throws(StoreError) {
        try attempting("store the position of \(source)", on: path) {
            try connection.write { try connection.save(position, of: source) }
        }
    }

    /// Stores when all that a source's rate allows is there again, and nothing else of its state: it changes while
    /// batches are stored.
    package func saveAllowance(wholeAt: Timestamp?, of source: String) throws(StoreError) {
        try attempting("store the rate limit of \(source)", on: path) {
            try connection.write {
                try connection.prepare("UPDATE sources SET rate_limit_reset_at = ? WHERE key = ?")
                    .run(wholeAt, try connection.sourceKey(source))
            }
        }
    }

    /// Stores what is known of a source between syncs; where one ended before its sweep did, this gives back the memory
    /// that its batches had.
    package func save(_ state: SourceState, of source: String) throws(StoreError) {
        try attempting("store the state of \(source)", on: path) {
            defer { connection.giveBackPages() }
            try connection.write { try connection.save(state, of: source) }
        }
    }

    /// Records random jokes that a reader has served (`JokeReader.unrecorded`).
    package func record(_ deliveries: Deliveries, at now: Timestamp) throws(StoreError) {
        guard !deliveries.isEmpty else { return }
        try attempting("record the served jokes", on: path) {
            try connection.write {
                for (group, count) in deliveries.counts {
                    // The last one must be found by its time.
                    let time = group == deliveries.last ? Timestamp(microseconds: now.microseconds + 1) : now
                    try connection.prepare(
                        """
                        UPDATE groups SET serve_count = serve_count + ?, served_at = ?, round = ?, shuffle = ?
                        WHERE key = ?
                        """
                    ).run(count.served, time, count.round, ShownJokes.shuffle(group, using: &randomness), group)
                }
            }
        }
    }
}
