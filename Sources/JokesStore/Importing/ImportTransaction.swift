import JokesCore
import JokesExchange
import SQLite

/// Stores the records of an import, within one transaction. The caller opens and commits the transaction.
struct ImportTransaction {
    private let connection: Connection
    /// Appends the changes to the journal.
    private let journalWriter: JournalWriter
    private let rules: DisplayRules
    private let limits: CacheLimits
    private let now: Timestamp
    private(set) var randomness: any RandomNumberGenerator & Sendable
    /// The texts of favorites and hidden marks.
    private var groups: TouchedGroups
    /// The source of the last jokes. Each `Ingest` begins at the next free key, so only one can be open: keys then ascend in the
    /// order of reading.
    private var current: (source: String, ingest: Ingest)?
    private var report = ImportReport()

    init(
        _ connection: Connection, _ journalWriter: JournalWriter, _ rules: DisplayRules, _ limits: CacheLimits,
        at now: Timestamp, randomness: any RandomNumberGenerator & Sendable
    ) throws {
        (self.connection, self.journalWriter, self.now) = (connection, journalWriter, now)
        (self.rules, self.limits, self.randomness) = (rules, limits, randomness)
        groups = try TouchedGroups(connection, rules, at: now)
    }

    mutating func run(_ spool: ImportSpool) throws -> ImportReport {
        let excluded = try connection.excludedFavorites
        try spool.forEachFromLast { record in
            switch record {
            case .favorite(let favorite): try insert(favorite)
            case .hidden(let mark): try insert(mark)
            case .joke(let joke): try insert(joke)
            }
        }
        try settle()
        report.excluded += max(0, try connection.excludedFavorites - excluded)
        return report
    }

    private mutating func insert(_ favorite: Favorite) throws {
        if current != nil { try settle() }
        let fingerprint = Fingerprint(of: favorite.content.text)
        if var known = try connection.favorite(fingerprint) {
            guard favorite.note != nil && known.note == nil else {
                report.knownFavorites += 1
                return
            }
            known.note = favorite.note
            try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                .run(favorite.note, fingerprint)
            try journalWriter.append(.note(known))
            report.changedFavorites += 1
            return
        }
        try groups.touch(fingerprint)
        let stored = try connection.insert(favorite, by: rules)
        try journalWriter.append(.favorite(stored))
        report.newFavorites += 1
    }

    private mutating func insert(_ mark: HiddenMark) throws {
        if current != nil { try settle() }
        try groups.touch(mark.fingerprint)
        guard try connection.insert(mark) else {
            report.knownHidden += 1
            return
        }
        report.newHidden += 1
        try journalWriter.append(.hide(mark))
    }

    private mutating func insert(_ joke: Joke) throws {
        let source = String(joke.id.source)
        // A format without IDs has the text of a cached joke again.
        if source == importSource, let group = try connection.group(of: Fingerprint(of: joke.content.text)),
            try connection.hasRow("SELECT 1 FROM jokes WHERE joke_group = \(group)")
        {
            report.knownJokes += 1
            return
        }
        if current?.source != source {
            try settle()
            let ingest = try Ingest(
                connection, rules: rules, limits: limits, source: source, at: now,
                part: BatchPart(isInFullSync: false), randomness: randomness)
            current = (source, ingest)
        }
        // Nil if the joke was not inserted.
        let isAdmitted = try current?.ingest.storeImported(joke)
        report.newJokes += isAdmitted == nil ? 0 : 1
        report.knownJokes += isAdmitted == nil ? 1 : 0
        report.excluded += isAdmitted == false ? 1 : 0
    }

    /// Settles the groups, and ends the jokes of a source. Called when the kind of the records or the source changes.
    private mutating func settle() throws {
        try groups.settle()
        _ = try current?.ingest.finish()
        if let used = current?.ingest.randomness { randomness = used }
        current = nil
    }
}
