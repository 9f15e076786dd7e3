package import JokesCore
import SQLite
package import Unix

/// The store of jokes, favorites, hidden marks and the state of the sources. The only writer of the database.
///
/// Calls block the thread of the executor while they read and write. A call that throws has stored nothing. Readers
/// (`JokeReader`) see all commits.
package actor JokeStore {
    private let executor: any SerialExecutor
    let opening: StoreOpening
    /// The open database; nil from the discovery of damage until the recovery.
    var connectionIfOpen: Connection?
    /// Earlier immutable connections, which stay open. The VFS `unix-none` ignores the locks of other connections, and
    /// its close(2) would release all POSIX locks of the process on the file.
    var keptOpen: [Connection] = []
    /// The reason why the database could not be opened for writing; nil if the database is open for writing.
    var writeError: StoreError?
    /// The remaining lock timeout of the current change; nil means `StoreOpening.lockTimeout`.
    var remainingTimeout: Duration? {
        // Setting the timeout fails only with SQLITE_MISUSE.
        didSet { try? connectionIfOpen?.setBusyTimeout(remainingTimeout ?? opening.lockTimeout) }
    }
    /// The damage of the database, or the removal of a file; nil if neither was found. All calls are refused until `recover`.
    var damage: StoreError?
    /// The renamed damaged database, until a new database is open.
    var replacedDatabase: ReplacedDatabase?
    /// The journal; nil unless the database is open for writing.
    var journal: Journal?
    /// Called when damage is found (`whenDamaged`).
    var onDamage: (@Sendable (StoreError) -> Void)?
    /// The files that the connection has open.
    var heldFiles: HeldFiles
    var rules: DisplayRules
    private(set) var limits = CacheLimits()
    /// The phase of the next step of `tidy`. A batch beyond the limit, an import, new limits and an error set the first
    /// phase again.
    var tidying = TidyingPhase.eviction
    /// True if files no longer have some of their jokes. The next steps of `tidy` remove these jokes.
    var hasMissing = false
    var randomness: any RandomNumberGenerator & Sendable
    /// The sources whose syncs request evicted jokes again.
    private var refilling: Set<String> = []
    /// The imports that are not finished, by their numbers.
    var spools: [Int64: ImportSpool] = [:]

    package nonisolated var path: String { opening.files.database }
    nonisolated let sharing: StoreSharing
    /// The recovery when the database was opened; nil if there was none.
    package nonisolated let recovery: Recovery?
    /// The reason why the database could not be opened for writing at the start. The next change tries again.
    package nonisolated let writeErrorAtOpening: StoreError?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The open database, within `withOpenDatabase`.
    var connection: Connection {
        guard let connectionIfOpen else { preconditionFailure("used outside of withOpenDatabase") }
        return connectionIfOpen
    }

    /// Opens the database in an existing folder. Creates a missing database with mode 0600.
    ///
    /// Blocks the caller: under a millisecond with few favorites, longer if the schema or the rules have changed.
    /// Renames a damaged database, and restores the favorites from the journal (`recovery`). If nothing can be written,
    /// opens the database for reading (`writeErrorAtOpening`).
    ///
    /// If the folder is removed, the store creates the folder and takes `lock` again. `lockTimeout` limits the time
    /// that a call waits for a lock of another process.
    ///
    /// - Throws: `StoreError`; with code `newerSchema` if a newer version wrote the file, which stays unchanged.
    package init(
        folder: String, executor: any SerialExecutor, rules: DisplayRules, lock: StateLock? = nil,
        lockTimeout: Duration = .seconds(5),
        clock: @escaping @Sendable () -> Timestamp = { Timestamp(microseconds: wallClockMicroseconds()) },
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(StoreError) {
        opening = StoreOpening(files: StoreFiles(folder: folder), lock: lock, lockTimeout: lockTimeout, clock: clock)
        let opened = try opening.open(rules)
        connectionIfOpen = opened.connection
        journal = opened.journal
        heldFiles = HeldFiles(opening.files)
        writeError = opened.writeError
        writeErrorAtOpening = opened.writeError
        recovery = opened.recovery
        sharing = StoreSharing(opened.readerAccess)
        self.executor = executor
        self.rules = rules
        self.randomness = randomness
    }

    /// Applies new rules. Equal rules change nothing.
    package func adopt(_ rules: DisplayRules) throws(StoreError) {
        guard rules != self.rules else { return }
        try withOpenDatabase(to: "apply the configuration") {
            try connection.adopt(rules, at: opening.clock())
            self.rules = rules
        }
    }

    /// Sets the limits of the cache for `tidy` and for later batches.
    package func adopt(_ limits: CacheLimits) {
        self.limits = limits
        tidying = .eviction
    }

    /// The number of jokes in a slice of a long answer. After such a batch, more usually follow.
    package static let sliceCount = 400

    /// Stores a batch of a source's jokes, all or none. The first joke is the newest. A power loss may undo the whole
    /// batch.
    ///
    /// Other changes wait until the batch is done: about 15 ms for 400 jokes, the largest slice of a source.
    ///
    /// `position` is the position after which the sync continues, stored in the same transaction. Nil keeps the stored
    /// position.
    package func ingest(
        _ jokes: [NormalizedJoke], from source: String, at now: Timestamp,
        part: BatchPart = BatchPart(isInFullSync: false), position: SourcePosition? = nil
    ) throws(StoreError) -> IngestReport {
        try withOpenDatabase(to: "store jokes of \(source)") {
            let isLarge = jokes.count >= Self.sliceCount
            // Usually, another slice follows, which changes the same pages.
            defer { if !isLarge || part.completesFullSync { connection.releaseMemory() } }
            // Large batches are written without foreign-key checks, which would take a quarter of the time. A test
            // checks all references.
            return try connection.write(checksForeignKeys: !isLarge) {
                var ingest = try Ingest(
                    connection, rules: rules, limits: limits, source: source, at: now, part: part,
                    randomness: randomness)
                defer { randomness = ingest.randomness }
                let report = try ingest.run(jokes)
                if ingest.isOverLimit { tidying = .eviction }
                if report.missing > 0, try connection.isLocal(source) { (tidying, hasMissing) = (.eviction, true) }
                if let position { try connection.save(position, of: source) }
                return report
            }
        }
    }

    /// Stores the position of a source after an answer without jokes.
    package func save(_ position: SourcePosition, of source: String) throws(StoreError) {
        try writing("store the position of \(source)") { try connection.save(position, of: source) }
    }

    /// Stores what the server of some sources allows, before a request to it. Keeps the rest of their states.
    package func saveLimits(in state: SourceState, of sources: [String]) throws(StoreError) {
        try writing("store the limits of a server") {
            for source in sources {
                var stored = try connection.progress(of: source).state
                (stored.rateLimitResetAt, stored.retryAfter) = (state.rateLimitResetAt, state.retryAfter)
                try connection.save(stored, of: source)
            }
        }
    }

    /// Stores the state of a source before its sync, and returns the position at which the sync begins.
    ///
    /// A sync that requests evicted jokes again begins at the first position: with an ETag, the server would answer 304. A
    /// position for other requests than those of the state is void. `isLocal` is true for a source of files of this machine:
    /// jokes that a full sync does not return are removed. `interval` is the time between two syncs. `fromStart` begins
    /// at the first position.
    package func beginSync(
        of source: String, _ state: SourceState, isLocal: Bool = false, interval: Duration = .zero,
        fromStart: Bool = false
    ) throws(StoreError) -> SourcePosition {
        try writing("store the state of \(source)") {
            let refills = try connection.hasRoomAgain(for: source, in: limits)
            let stored = try connection.progress(of: source)
            let isUsable = !refills && !fromStart && stored.state.requestSignature == state.requestSignature
            let position = isUsable ? stored.position : SourcePosition()
            try connection.save(state, of: source)
            try connection.save(position, of: source)
            try connection.prepare("UPDATE sources SET is_local = ?, sync_interval = ? WHERE name = ?")
                .run(isLocal, interval.wholeMicroseconds, source)
            if refills { refilling.insert(source) }
            return position
        }
    }

    /// Stores the state of a source after its sync, and releases the memory of its batches.
    package func endSync(of source: String, _ state: SourceState) throws(StoreError) {
        try withOpenDatabase(to: "store the state of \(source)") {
            defer { connection.releaseMemory() }
            try connection.write {
                let key = try connection.sourceKey(source)
                if let success = state.lastSuccess, try success != connection.progress(of: source).state.lastSuccess {
                    try connection.recordAnswer(of: key, at: success, hasJokes: false, maxAge: limits.maxAge)
                    // The source no longer has the jokes that are counted as evicted.
                    if try refilling.contains(source) && connection.hasRoomAgain(for: source, in: limits) {
                        try connection.prepare("UPDATE sources SET evicted = 0 WHERE key = ?").run(key)
                    }
                }
                refilling.remove(source)
                try connection.save(state, of: source)
            }
        }
    }

    /// Runs the body on the actor without suspension.
    ///
    /// The lock timeout, of the store or of this change, counts from `requestedAt`, because earlier changes may have waited
    /// for the same lock. Each lock is tried at least once.
    ///
    /// - Returns: The result of the body. `hasWritten` is true if rows were committed or the database was reopened,
    ///   which shows that changes can be stored.
    package func change<Result>(
        requestedAt: BootInstant, lockTimeout: Duration? = nil, _ body: (isolated JokeStore) throws -> Result
    ) throws -> (result: Result, hasWritten: Bool) {
        remainingTimeout = max(.zero, (lockTimeout ?? opening.lockTimeout) - requestedAt.duration(to: .now))
        defer { remainingTimeout = nil }
        let (before, written) = (connectionIfOpen, connectionIfOpen?.committedChanges)
        let result = try body(self)
        return (result, connectionIfOpen !== before || connectionIfOpen?.committedChanges != written)
    }
}
