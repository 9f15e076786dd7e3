import JokesCore
import SQLite

/// The counts of a batch of jokes. Each joke of the batch is in one count, and `inserted` counts some again. `missing` counts
/// jokes outside of the batch.
package struct IngestReport: Hashable, Sendable {
    /// Inserted jokes whose texts no other stored joke had: new jokes, and evicted or removed jokes that came back.
    package var new = 0
    /// The jokes with IDs that the source has not had before, also of known texts.
    package var inserted = 0
    /// Jokes with known IDs and other contents.
    package var changed = 0
    /// Jokes with known IDs and the same contents.
    package var unchanged = 0
    /// Jokes with new IDs and known texts, and jokes whose IDs were already in the batch. Also other spellings of texts
    /// that the full sync has already returned.
    package var duplicates = 0
    /// Stored jokes that a full sync has not returned, if the batch completes it.
    package var missing = 0
    /// Evicted jokes and duplicates that a full cache has refused.
    package var notCached = 0
    /// True if a favorite has changed, also if the filters admit it now and did not before the batch, or the reverse.
    package var hasChangedFavorites = false

    package init() {}
}

/// Stores a batch of one source's jokes, within one transaction.
///
/// A joke is a row in `jokes` and belongs to a row in `groups`, with its duplicates (`TouchedGroups`). Call `run` once; or
/// `storeImported` for each joke, and then `finish`.
struct Ingest {
    private let connection: Connection
    private let statements: Statements
    private let rules: DisplayRules
    private let source: (key: Int64, name: String)
    /// True if the source is no longer configured.
    private let isSourceRemoved: Bool
    private let now: Timestamp
    private let fullSync: FullSync
    private var pass: Pass
    private let hasFavorites: Bool
    /// The number of jokes that the cache has room for; negative if it exceeds its limit.
    private var room: Int
    /// True if the cache exceeds its limit.
    var isOverLimit: Bool { room < 0 }
    private let maxAge: Duration

    private var groups: TouchedGroups
    private(set) var randomness: any RandomNumberGenerator & Sendable
    /// The key of the next inserted joke. The keys ascend, because FTS5 writes a segment when a key is smaller than the
    /// previous key.
    private var nextKey: Int64
    private var nextGroup: Int64
    /// The keys of the jokes of this batch.
    private var batchKeys: Set<Int64> = []
    /// The change of `sources.evicted`.
    private var evicted = 0
    private var report = IngestReport()

    /// The minimum time between two updates of `last_seen` of an unchanged joke outside a full sync. So a sync without
    /// new jokes writes almost nothing.
    static let lastSeenGranularity: Duration = .seconds(86_400)

    /// Statements that are looked up once, because a lookup in the statement cache takes as long as a short statement.
    private struct Statements {
        let find: Statement
        let findGroup: Statement
        let findOtherFavorite: Statement
        let insert: Statement
        let update: Statement

        init(_ connection: Connection) throws {
            find = try connection.prepare(
                """
                SELECT key, joke_group, content_hash, last_seen, missing_since IS NOT NULL, full_sync FROM jokes
                WHERE id = ?
                """)
            findGroup = try connection.prepare(Connection.groupQuery)
            findOtherFavorite = try connection.prepare("SELECT 1 FROM favorites WHERE id = ? AND fingerprint <> ?")
            // Two statements instead of an upsert, for which SQLite would open a statement journal for each joke. Both
            // have the same parameters.
            insert = try connection.prepare(
                """
                INSERT INTO jokes (
                    key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen, full_sync,
                    \(Schema.allContentColumns))
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, \(Schema.contentParameters))
                """)
            update = try connection.prepare(
                """
                UPDATE jokes SET (
                    joke_group, admitted, length, content_hash, last_seen, full_sync, missing_since,
                    \(Schema.allContentColumns))
                = (?4, ?5, ?6, ?7, ?8, ?9, NULL, \(Schema.contentParameters))
                WHERE key = ?1 AND id = ?2 AND source = ?3
                """)
        }
    }

    init(
        _ connection: Connection, rules: DisplayRules, limits: CacheLimits, source: String, at now: Timestamp,
        part: BatchPart, randomness: any RandomNumberGenerator & Sendable
    ) throws {
        self.connection = connection
        statements = try Statements(connection)
        self.rules = rules
        let key = try connection.sourceKey(source)
        self.source = (key, source)
        isSourceRemoved =
            try connection.prepare("SELECT order_index = ? FROM sources WHERE key = ?")
            .first(Schema.removedOrderIndex, key) { row in try row.read(0) } ?? false
        self.now = now
        fullSync = try FullSync(of: key, part: part, connection)
        pass = try Pass(of: key, part: part, connection)
        self.randomness = randomness
        groups = try TouchedGroups(connection, rules, at: now)
        hasFavorites = try connection.hasRow("SELECT 1 FROM favorites LIMIT 1")
        room = try limits.maxJokes + connection.userDataCount() - connection.storedJokes()
        maxAge = limits.maxAge
        nextKey = try connection.newestKey() + 1
        nextGroup = Int64(try connection.number("SELECT ifnull(max(key), 0) + 1 FROM groups"))
    }

    /// Stores the jokes of a batch, the newest first, and calls `finish`.
    mutating func run(_ jokes: [NormalizedJoke]) throws -> IngestReport {
        if !jokes.isEmpty {
            try connection.recordAnswer(of: source.key, at: now, hasJokes: true, maxAge: maxAge)
        }
        let unique = try withoutRepetitions(jokes)
        report.duplicates = jokes.count - unique.count
        batchKeys.reserveCapacity(unique.count)
        let newerCount = try resumePass(with: unique)
        nextKey = try pass.takeKeys(unique.count - newerCount, connection)
        for (index, joke) in unique.enumerated().reversed() {
            if index == newerCount - 1 { nextKey = try Pass.newestKeys(newerCount, connection) }
            try store(joke)
        }
        try pass.store(of: source.key, hasNewJokes: report.inserted > 0, connection)
        return try finish()
    }

    /// Returns the jokes with the IDs that they get, without jokes whose IDs are those of earlier ones.
    private func withoutRepetitions(_ jokes: [NormalizedJoke]) throws -> [NormalizedJoke] {
        var ids: Set<JokeID> = []
        ids.reserveCapacity(jokes.count)
        return try jokes.map(withFreeID).filter { ids.insert($0.id).inserted }
    }

    /// Continues the pass if it was interrupted, and if a joke of this batch was stored before.
    ///
    /// - Returns: The number of jokes at the beginning that were published after the interruption. They are newer than
    ///   the pass.
    private mutating func resumePass(with jokes: [NormalizedJoke]) throws -> Int {
        guard pass.canResume, let index = try jokes.firstIndex(where: { try find($0) != nil }) else { return 0 }
        pass.resume()
        return index
    }

    // MARK: One joke

    private mutating func store(_ joke: NormalizedJoke) throws {
        // Saves a lookup: if no joke has the text, no joke has an ID that is made from the text.
        if hasTextID(joke), try findGroup(joke) == nil { return try insert(joke, into: nil) }
        guard let stored = try find(joke) else { return try insert(joke, into: findGroup(joke)) }
        // Two spellings of one text have the same text ID. The second spelling in a full sync is a duplicate, not an
        // edit.
        let isRespelled = fullSync.isRunning && stored.fullSync == fullSync.number && hasTextID(joke)
        let isUnchanged = stored.contentHash == joke.contentHash
        batchKeys.insert(stored.key)
        if !isUnchanged && isRespelled {
            report.duplicates += 1
        } else if isUnchanged {
            report.unchanged += 1
            try markSeen(stored)
        } else {
            report.changed += 1
            try change(stored, to: joke)
        }
    }

    /// Stores a joke of an import. If its ID is known, only an earlier `first_seen` is stored.
    ///
    /// - Returns: True if the joke passes the filters by its own rating, without the ratings of its duplicates; nil if
    ///   it was not inserted, because its ID is known or the cache is full.
    mutating func storeImported(_ joke: Joke) throws -> Bool? {
        let normalized = try withFreeID(
            NormalizedJoke(
                id: joke.id, content: joke.content, fingerprint: Fingerprint(of: joke.content.text),
                contentHash: contentHash(of: joke.content)))
        if let stored = try find(normalized) {
            try connection.prepare("UPDATE jokes SET first_seen = ?1 WHERE key = ?2 AND first_seen > ?1")
                .run(joke.firstSeen, stored.key)
            return nil
        }
        let before = report.inserted
        try insert(normalized, into: findGroup(normalized))
        guard report.inserted > before else { return nil }
        try connection.prepare("UPDATE jokes SET first_seen = ? WHERE id = ?").run(joke.firstSeen, normalized.id)
        return admits(rules.completed(joke.content, from: source.name))
    }

    /// Returns the joke, with another ID if a favorite with another text has its ID.
    private func withFreeID(_ joke: NormalizedJoke) throws -> NormalizedJoke {
        guard hasFavorites,
            try statements.findOtherFavorite.first(joke.id, joke.fingerprint, transform: { _ in true }) == true
        else { return joke }
        var joke = joke
        joke.id = try connection.idFromText(source.name, joke.fingerprint)
        return joke
    }

    /// Returns true if the ID is made from the text. No upstream ID begins with `~`.
    private func hasTextID(_ joke: NormalizedJoke) -> Bool {
        joke.id.rawValue.utf8.dropFirst(source.name.utf8.count + 1).first == UInt8(ascii: "~")
    }

    private func admits(_ content: JokeContent) -> Bool { !isSourceRemoved && rules.admits(content, from: source.name) }

    /// Inserts a joke with a new ID, into the group of its text. If `group` is nil, inserts the group.
    private mutating func insert(_ joke: NormalizedJoke, into group: Group?) throws {
        let content = rules.completed(joke.content, from: source.name)
        if let group {
            // A full cache refuses evicted jokes and duplicates, except unsafe duplicates, which change the rating of the
            // group.
            let isRefused = room <= 0 && (group.isEmptied || content.safety != .unsafe)
            if try connection.rate(group.key, as: joke.content) || !isRefused { try groups.touch(group.key) }
            if isRefused {
                report.notCached += 1
                if group.isEmptied && fullSync.isRunning { evicted += 1 }
                return
            }
        }
        let key = nextKey
        (nextKey, room) = (nextKey + 1, room - 1)
        report.inserted += 1
        batchKeys.insert(key)
        guard let group else {
            report.new += 1
            let shown = ShownJoke(joke: key, source: source.key, content)
            let group = try insertGroup(joke, showing: admits(content) ? shown : nil)
            try write(joke, content, key: key, group: group, by: statements.insert)
            if try hasFavorites && connection.favorite(joke.fingerprint) != nil { try groups.touch(group) }
            return
        }
        if group.isEmptied {
            report.new += 1
            // The first batch of a full sync sets `sources.evicted` to 0, so the joke is not in that count.
            if !fullSync.isRunning { evicted -= 1 }
        } else {
            report.duplicates += 1
        }
        try write(joke, content, key: key, group: group.key, by: statements.insert)
    }

    /// Stores an edited joke under its ID. The joke may move to the group of another text.
    private mutating func change(_ stored: StoredRow, to joke: NormalizedJoke) throws {
        try groups.touch(stored.group)
        let target = try findGroup(joke)?.key ?? insertGroup(joke, showing: nil)
        try groups.touch(target)
        try connection.rate(target, as: joke.content)
        let content = rules.completed(joke.content, from: source.name)
        try write(joke, content, key: stored.key, group: target, by: statements.update)
    }

    /// Records that a batch has an unchanged joke.
    private func markSeen(_ stored: StoredRow) throws {
        let isStale = !fullSync.sharesLastSeen && now.timeSince(stored.lastSeen) >= Self.lastSeenGranularity
        let lacksNumber = fullSync.storesNumber && stored.fullSync != fullSync.number
        guard stored.isMissing || isStale || lacksNumber else { return }
        try connection.prepare("UPDATE jokes SET last_seen = ?, missing_since = NULL, full_sync = ? WHERE key = ?")
            .run(now, fullSync.number, stored.key)
    }

    /// The row of a joke with the same ID.
    private typealias StoredRow = (
        key: Int64, group: Int64, contentHash: Int64, lastSeen: Timestamp, isMissing: Bool, fullSync: Int64
    )

    private func find(_ joke: NormalizedJoke) throws -> StoredRow? {
        try statements.find.first(joke.id) { row in
            try (
                key: row.read(0), group: row.read(1), contentHash: row.read(2), lastSeen: row.read(3),
                isMissing: row.read(4),
                fullSync: row.read(5)
            )
        }
    }

    /// A group of the same text. `isEmptied` is true if all its jokes were removed or have other texts now.
    private typealias Group = (key: Int64, isEmptied: Bool)

    private func findGroup(_ joke: NormalizedJoke) throws -> Group? {
        try statements.findGroup.first(joke.fingerprint) { row in
            try (key: row.read(0), isEmptied: row.read(1))
        }
    }

    private mutating func insertGroup(
        _ joke: NormalizedJoke, showing shown: ShownJoke?
    ) throws -> Int64 {
        let group = nextGroup
        nextGroup += 1
        try groups.insertGroup(group, of: joke, showing: shown, using: &randomness)
        return group
    }

    private func write(
        _ joke: NormalizedJoke, _ content: JokeContent, key: Int64, group: Int64, by statement: Statement
    ) throws {
        try statement.run(
            key, joke.id, source.key, group, admits(content), content.text.length, joke.contentHash, now,
            fullSync.number, then: content.columnValues(stated: joke.content))
    }

    // MARK: After the jokes

    /// Finds the missing jokes if a full sync is completed, and stores the counts of the source.
    mutating func finish() throws -> IngestReport {
        if fullSync.isCompleted { try markMissing() }
        try fullSync.store(of: source.key, at: now, connection)
        try groups.settle()
        report.hasChangedFavorites = groups.hasChangedFavorites
        if report.inserted > 0 {
            try connection.prepare("UPDATE sources SET jokes = jokes + ? WHERE key = ?").run(
                report.inserted, source.key)
        }
        let begins = fullSync.part.beginsFullSync
        if begins || evicted != 0 {
            try connection.prepare("UPDATE sources SET evicted = max(0, iif(?, 0, evicted) + ?) WHERE key = ?")
                .run(begins, evicted, source.key)
        }
        return report
    }

    /// Sets `missing_since` of the jokes that were in no batch of the completed full sync.
    private mutating func markMissing() throws {
        let notReturned = try connection.prepare(
            "SELECT key FROM jokes WHERE source = ? AND missing_since IS NULL AND full_sync <> ?"
        ).map(source.key, fullSync.number) { row in try row.read(0, as: Int64.self) }
        let update = try connection.prepare(
            """
            UPDATE jokes SET missing_since = ?, last_seen = max(last_seen, (
                SELECT ifnull(full_sync_at, last_seen) FROM sources WHERE sources.key = jokes.source))
            WHERE key = ?
            """)
        for key in notReturned where !batchKeys.contains(key) {
            report.missing += 1
            try update.run(now, key)
        }
    }
}

extension Connection {
    /// Returns the key of a source. Inserts the source if it is missing.
    func sourceKey(_ name: String) throws -> Int64 {
        let known = try prepare("SELECT key FROM sources WHERE name = ?")
            .first(name) { row in try row.read(0, as: Int64.self) }
        if let known { return known }
        try prepare("INSERT INTO sources (name, order_index) VALUES (?, ?)").run(name, Schema.unconfiguredOrderIndex)
        return lastInsertedKey
    }

    /// Selects the key of the group with a fingerprint, and whether it has no joke.
    static let groupQuery = """
        SELECT key, NOT EXISTS (SELECT 1 FROM jokes WHERE joke_group = groups.key) FROM groups
        WHERE substr(fingerprint, 1, 6) = substr(?1, 1, 6) AND fingerprint = ?1
        """
}
