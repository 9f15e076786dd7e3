import JokesCore
import SQLite

/// A batch of one source's jokes on its way in, within one transaction.
struct Ingest {
    private let connection: Connection
    private let statements: Statements
    private let rules: ShowingRules
    private let source: (key: Int64, name: String)
    /// Whether the configuration had the source, and no longer has it.
    private let isRemoved: Bool
    private let now: Timestamp
    private let sweep: Sweep
    private let hasFavorites: Bool
    /// How many more jokes there is room for.
    private var room: Int
    /// After a longer time without jokes of the source, what is old begins anew.
    private let longestPause: Duration

    private var shown: ShownJokes
    /// Shuffles new jokes.
    private(set) var randomness: any RandomNumberGenerator & Sendable
    private var nextKey: Int64
    private var nextGroup: Int64
    /// The keys of the jokes that the batch has had.
    private var seen: Set<Int64> = []
    private var added = 0
    /// How many more jokes of the source the cache has evicted and not taken back.
    private var evicted = 0
    private var report = IngestReport()

    /// How old `last_seen` may grow before a draw that finds a joke unchanged writes it again: a sync that brings
    /// nothing new writes next to nothing.
    static let lastSeenGranularity: Duration = .seconds(86_400)

    /// What each joke needs: looking a statement up by its text would cost as much as a short one takes.
    private struct Statements {
        let find: Statement
        let findGroup: Statement
        let findOtherFavorite: Statement
        let insert: Statement

        init(_ connection: Connection) throws {
            find = try connection.prepare(
                """
                SELECT key, joke_group, content_hash, last_seen, missing_since IS NOT NULL, full_sync FROM jokes
                WHERE id = ?
                """)
            findGroup = try connection.prepare(Connection.groupQuery)
            findOtherFavorite = try connection.prepare("SELECT 1 FROM favorites WHERE id = ? AND fingerprint <> ?")
            insert = try connection.prepare(Ingest.insertion)
        }
    }

    init(
        _ connection: Connection, rules: ShowingRules, limits: CacheLimits, source: String, at now: Timestamp,
        part: SweepPart, randomness: any RandomNumberGenerator & Sendable
    ) throws {
        self.connection = connection
        statements = try Statements(connection)
        self.rules = rules
        self.source = (try connection.sourceKey(source), source)
        isRemoved =
            try connection.prepare("SELECT position FROM sources WHERE key = ?")
            .first(self.source.key) { row in try row.read(0, as: Int.self) } == Schema.removedPlace
        self.now = now
        sweep = try Sweep(of: self.source.key, part: part, connection)
        self.randomness = randomness
        shown = try ShownJokes(connection, rules)
        hasFavorites = try connection.has("SELECT 1 FROM favorites LIMIT 1")
        room = try limits.jokes + connection.marks() - connection.storedJokes()
        longestPause = limits.age / 10
        nextKey = try connection.nextKey(in: "jokes")
        nextGroup = try connection.nextKey(in: "groups")
    }

    /// Stores the batch.
    mutating func run(_ jokes: [NormalizedJoke]) throws -> IngestReport {
        seen.reserveCapacity(jokes.count)
        for joke in jokes {
            try take(identified(joke))
        }
        if !jokes.isEmpty { try noteAnswer() }
        return try finish()
    }

    /// Takes in a joke that somebody else than its source brings, with when it was first seen there. Of one that is known
    /// by its id only that time is taken, where it is the earlier one.
    ///
    /// - Returns: Whether the filters admit it; nil where its id is known, or the cache was full and let go of it before.
    mutating func adopt(_ joke: Joke) throws -> Bool? {
        let normalized = try identified(
            NormalizedJoke(
                id: joke.id, content: joke.content, fingerprint: Fingerprint(of: joke.content.text),
                contentHash: ContentHash(of: joke.content)))
        let known = try statements.find.first(normalized.id) { row in try row.read(0, as: Int64.self) }
        if let known {
            try connection.prepare("UPDATE jokes SET first_seen = ?1 WHERE key = ?2 AND first_seen > ?1")
                .run(joke.firstSeen, known)
            return nil
        }
        let before = added
        try add(normalized, to: findGroup(normalized.fingerprint))
        guard added > before else { return nil }
        try connection.prepare("UPDATE jokes SET first_seen = ? WHERE id = ?").run(joke.firstSeen, normalized.id)
        return admits(rules.completed(joke.content, from: source.name))
    }

    /// Stores what follows from all that was taken in; the last call.
    mutating func finish() throws -> IngestReport {
        if sweep.isCompleted { try markMissing() }
        try sweep.store(of: source.key, at: now, connection)
        try shown.flush()
        report.hasChangedFavorites = report.hasChangedFavorites || shown.hasChangedFavorites
        if added > 0 {
            try connection.prepare("UPDATE sources SET jokes = jokes + ? WHERE key = ?").run(added, source.key)
        }
        // A full sync meets every evicted joke again.
        let begins = sweep.part.begins
        if begins || evicted != 0 {
            try connection.prepare("UPDATE sources SET evicted = max(0, iif(?, 0, evicted) + ?) WHERE key = ?")
                .run(begins, evicted, source.key)
        }
        return report
    }

    /// Jokes came; where that is not as usual, because of a long pause or a clock that was set, ages count from now.
    private func noteAnswer() throws {
        let last = try connection.prepare("SELECT jokes_at FROM sources WHERE key = ?")
            .first(source.key) { row in try row.read(0, as: Timestamp?.self) }
        let isRegular = (last ?? nil).map { last in (.zero...longestPause).contains(now.timeSince(last)) } ?? false
        let alsoSet = isRegular ? "" : ", returning_since = ?1"
        try connection.prepare("UPDATE sources SET jokes_at = ?1\(alsoSet) WHERE key = ?2").run(now, source.key)
    }

    /// A stored joke as far as the next telling of it matters.
    private struct Known {
        let key: Int64
        let group: Int64
        let contentHash: Int64
        let lastSeen: Timestamp
        let isMissing: Bool
        let sweep: Int64
    }

    /// Returns the joke under the ID that it is stored by.
    ///
    /// The ID of a favorite with another text is not available: the joke gets the ID that follows from its own text.
    private func identified(_ joke: NormalizedJoke) throws -> NormalizedJoke {
        guard hasFavorites,
            try statements.findOtherFavorite.first(joke.id, joke.fingerprint, transform: { _ in true }) == true
        else { return joke }
        var joke = joke
        joke.id = try connection.idOfText(source.name, joke.fingerprint)
        return joke
    }

    private mutating func take(_ joke: NormalizedJoke) throws {
        // A joke whose id follows from its text is where its text is: one look instead of two.
        if followsFromText(joke.id), try findGroup(joke.fingerprint) == nil {
            return try add(joke, to: nil)
        }
        let known = try statements.find.first(joke.id) { row in
            Known(
                key: try row.read(0), group: try row.read(1), contentHash: try row.read(2),
                lastSeen: try row.read(3), isMissing: try row.read(4), sweep: try row.read(5))
        }
        guard let known else { return try add(joke, to: findGroup(joke.fingerprint)) }
        guard seen.insert(known.key).inserted else {
            report.duplicates += 1
            return
        }
        if known.contentHash == joke.contentHash.value {
            report.unchanged += 1
            try see(known)
        } else if isSecondTelling(joke, of: known) {
            report.duplicates += 1
        } else {
            report.changed += 1
            try change(known, to: joke)
        }
    }

    /// Whether the sweep has met the joke before, under an id that follows from its text, and this is another way to
    /// write it: both will be in the next sweep, too, and neither is an edit of the other.
    private func isSecondTelling(_ joke: NormalizedJoke, of known: Known) -> Bool {
        sweep.isRunning && known.sweep == sweep.number && followsFromText(joke.id)
    }

    /// No upstream's own id begins like those that are made of fingerprints.
    private func followsFromText(_ id: JokeID) -> Bool {
        id.rawValue.utf8.dropFirst(source.name.utf8.count + 1).first == UInt8(ascii: "~")
    }

    private func admits(_ content: JokeContent) -> Bool {
        !isRemoved && rules.admits(content, from: source.name)
    }

    private mutating func add(_ joke: NormalizedJoke, to group: Group?) throws {
        let content = rules.completed(joke.content, from: source.name)
        // A full cache takes back nothing that it evicted, and only those duplicates that make a joke unsafe.
        if let group, room <= 0, group.isEmptied || content.safety != .unsafe {
            report.letGo += 1
            if group.isEmptied && sweep.isRunning { evicted += 1 }
            return
        }
        let key = nextKey
        nextKey += 1
        added += 1
        room -= 1
        seen.insert(key)
        let isAdmitted = admits(content)
        if let group {
            if group.isEmptied {
                report.new += 1
                // A full sync counts those that it does not take back.
                if !sweep.isRunning { evicted -= 1 }
                try refill(group.key)
            } else {
                report.duplicates += 1
            }
            try write(joke, content, key, group.key, isAdmitted, by: statements.insert)
            try shown.update(group.key)
        } else {
            report.new += 1
            let group = try insertGroup(of: joke, content, showing: isAdmitted ? key : nil)
            try write(joke, content, key, group, isAdmitted, by: statements.insert)
            if hasFavorites && content.safety == .unsafe {
                let hasChanged = try connection.admitFavorite(in: group, by: rules)
                report.hasChangedFavorites = report.hasChangedFavorites || hasChanged
            }
        }
    }

    private func see(_ known: Known) throws {
        // A sweep's time is the source's; a draw's is the joke's own.
        let isStale = !sweep.tellsTime && now.timeSince(known.lastSeen) >= Self.lastSeenGranularity
        let lacksMark = sweep.marksJokes && known.sweep != sweep.number
        guard known.isMissing || isStale || lacksMark else { return }
        try connection.prepare("UPDATE jokes SET last_seen = ?, missing_since = NULL, full_sync = ? WHERE key = ?")
            .run(now, sweep.number, known.key)
    }

    private mutating func change(_ known: Known, to joke: NormalizedJoke) throws {
        // If the known joke is shown, its old words and categories go now.
        try shown.hide(known.group)
        let content = rules.completed(joke.content, from: source.name)
        let group = try findGroup(joke.fingerprint)
        if let group, group.isEmptied { try refill(group.key) }
        let target = try group?.key ?? insertGroup(of: joke, content, showing: nil)
        try write(joke, content, known.key, target, admits(content), by: connection.prepare(Self.change))
        // In this order: no two groups may show one joke.
        try shown.update(known.group)
        if target == known.group { return }
        try connection.prepare(
            "DELETE FROM groups WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM jokes WHERE joke_group = ?1)"
        ).run(known.group)
        try shown.update(target)
    }

    // MARK: Groups

    private struct Group {
        let key: Int64
        /// Whether the cache let go of all its jokes.
        let isEmptied: Bool
    }

    private func findGroup(_ fingerprint: Fingerprint) throws -> Group? {
        try statements.findGroup.first(fingerprint) { row in
            Group(key: try row.read(0), isEmptied: try row.read(1, as: Timestamp?.self) != nil)
        }
    }

    /// A joke of the group is here again.
    private func refill(_ group: Int64) throws {
        try connection.prepare("UPDATE groups SET emptied_at = NULL WHERE key = ?").run(group)
    }

    /// Inserts the group of a text that is new; a joke that is about to be inserted may be shown.
    private mutating func insertGroup(
        of joke: NormalizedJoke, _ content: JokeContent, showing key: Int64?
    ) throws -> Int64 {
        let group = nextGroup
        nextGroup += 1
        let shuffle = ShownJokes.shuffle(group, using: &randomness)
        if let key {
            try shown.insertGroup(group, joke.fingerprint, shuffle: shuffle, showing: key, of: source.key, content)
        } else {
            try shown.insertGroup(group, joke.fingerprint, shuffle: shuffle)
        }
        return group
    }

    // MARK: Rows

    private func write(
        _ joke: NormalizedJoke, _ content: JokeContent, _ key: Int64, _ group: Int64, _ isAdmitted: Bool,
        by statement: Statement
    ) throws {
        try statement.run(
            key, joke.id, source.key, group, isAdmitted, content.text.length,
            joke.contentHash.value, now, sweep.number, content.text.setup, content.text.punchline, content.language,
            CategoryList(content.categories), content.flags, content.safety, content.url, content.author,
            content.upstreamDate, joke.content.language, joke.content.safety)
    }

    // Two statements of the same values: one that does either keeps a journal of its own for each joke.

    private static let insertion = """
        INSERT INTO jokes (
            key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen, full_sync,
            \(Schema.allContentColumns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
        """

    private static let change = """
        UPDATE jokes SET (
            joke_group, admitted, length, content_hash, last_seen, full_sync, missing_since, \(Schema.allContentColumns))
        = (?4, ?5, ?6, ?7, ?8, ?9, NULL, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
        WHERE key = ?1 AND id = ?2 AND source = ?3
        """

    private mutating func markMissing() throws {
        let unmarked = try connection.prepare(
            "SELECT key FROM jokes WHERE source = ? AND missing_since IS NULL AND full_sync <> ?"
        ).map(source.key, sweep.number) { row in try row.read(0, as: Int64.self) }
        for key in unmarked where !seen.contains(key) {
            report.missing += 1
            try connection.prepare(
                """
                UPDATE jokes SET missing_since = ?, last_seen = max(last_seen, (
                    SELECT ifnull(full_sync_at, last_seen) FROM sources WHERE sources.key = jokes.source))
                WHERE key = ?
                """
            ).run(now, key)
        }
    }
}

extension Connection {
    /// The key of a source, which is made where there is none of the name.
    func sourceKey(_ name: String) throws -> Int64 {
        if let key = try prepare("SELECT key FROM sources WHERE name = ?")
            .first(name, transform: { row in try row.read(0, as: Int64.self) })
        {
            return key
        }
        try prepare("INSERT INTO sources (name, position) VALUES (?, ?)").run(name, Schema.unconfiguredPlace)
        return lastInsertedKey
    }

    /// Above all keys of a table.
    fileprivate func nextKey(in table: String) throws -> Int64 {
        try prepare("SELECT ifnull(max(key), 0) + 1 FROM \(table)").first { row in try row.read(0) } ?? 1
    }

    /// The group with a fingerprint: its key, and when it was emptied.
    static let groupQuery = """
        SELECT key, emptied_at FROM groups WHERE substr(fingerprint, 1, 6) = substr(?1, 1, 6) AND fingerprint = ?1
        """
}
