import JokesCore
import SQLite

/// Keeps, within a transaction, which telling of each joke is shown, its words in the full-text index, where it stands
/// in the orders of drawing, and how many each source shows.
///
/// `settle` must be the last call.
struct Showing {
    private let connection: Connection
    private let rules: ShowingRules
    private let insertion: Statement
    private var words: ShownWords
    private var draws: Draws
    /// What has changed of the sources' counts, by their keys.
    private var shownChanges: [Int64: Int] = [:]
    /// Spares asking about each fingerprint where nothing is hidden.
    private let hidesAny: Bool
    /// Whether a favorite has come to pass or to fail the filters.
    private(set) var hasChangedFavorites = false

    init(_ connection: Connection, _ rules: ShowingRules) throws {
        self.connection = connection
        self.rules = rules
        insertion = try connection.prepare(
            "INSERT INTO groups (key, fingerprint, shuffle, shown, source, length) VALUES (?, ?, ?, ?, ?, ?)")
        words = try ShownWords(connection)
        draws = try Draws(connection)
        hidesAny = try connection.has("SELECT 1 FROM hidden LIMIT 1")
    }

    /// A joke that is about to say something else, and what it says before.
    struct Edit {
        let joke: Int64
        let text: JokeText?
        let labels: JokeLabels?
    }

    /// What a group shows.
    private struct Shown: Equatable {
        var joke: Int64?
        var source: Int64?
        var length: Int?

        init(row: borrowing Row) throws {
            joke = try row.read(0)
            source = try row.read(1)
            length = try row.read(2)
        }

        init() {}

        /// Where the group stands in the orders of drawing; nil where it shows nothing.
        func place(of group: Int64, told: Int, shuffle: Int64) -> Draws.Place? {
            guard let source, let length else { return nil }
            return Draws.Place(group: group, source: source, told: told, length: length, shuffle: shuffle)
        }
    }

    /// Makes a group that shows nothing yet.
    func makeGroup(_ key: Int64, _ fingerprint: Fingerprint, shuffle: UInt32) throws {
        try insertion.run(key, fingerprint, Int64(shuffle), nil as Int64?, nil as Int64?, nil as Int?)
    }

    /// Makes a group that shows an admitted joke, unless it is hidden. The joke is to be inserted in the same
    /// transaction, with a key above all that there are.
    mutating func makeGroup(
        _ key: Int64, _ fingerprint: Fingerprint, shuffle: UInt32, showing joke: Int64, of source: Int64,
        _ content: JokeContent
    ) throws {
        if try hidesAny && isHidden(fingerprint) { return try makeGroup(key, fingerprint, shuffle: shuffle) }
        let length = content.text.length
        try insertion.run(key, fingerprint, Int64(shuffle), joke, source, length)
        try words.append(joke, content.text)
        try draws.add(
            Draws.Place(group: key, source: source, told: 0, length: length, shuffle: Int64(shuffle)),
            JokeLabels(of: content))
        shownChanges[source, default: 0] += 1
    }

    private func isHidden(_ fingerprint: Fingerprint) throws -> Bool {
        try connection.prepare("SELECT 1 FROM hidden WHERE fingerprint = ?").first(fingerprint) { _ in true } ?? false
    }

    /// Works out what a group shows: the first configured source's, then the oldest, of those that are admitted;
    /// nothing where it is hidden. O(log n) in all jokes, O(k log k) in the group's.
    ///
    /// `edit` names the joke of the group that says something else since it was last worked out.
    mutating func update(_ group: Int64, after edit: Edit? = nil) throws {
        if try connection.admitJokes(in: group, by: rules) { hasChangedFavorites = true }
        let found = try connection.prepare(
            "SELECT shown, source, length, serve_count, shuffle FROM groups WHERE key = ?"
        )
        .first(group) { row in
            (try Shown(row: row), told: try row.read(3, as: Int.self), shuffle: try row.read(4, as: Int64.self))
        }
        let after =
            try connection.prepare(
                """
                SELECT j.key, j.source, j.length
                FROM groups g JOIN jokes j ON j.joke_group = g.key JOIN sources s ON s.key = j.source
                WHERE g.key = ? AND j.admitted = 1
                    AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
                ORDER BY s.position, j.key LIMIT 1
                """
            ).first(group) { row in try Shown(row: row) } ?? Shown()
        guard let (before, told, shuffle) = found else { return }
        let isEdited = before.joke != nil && edit?.joke == before.joke
        if before.joke != after.joke || isEdited {
            if let joke = before.joke { try words.remove(joke, text: isEdited ? edit?.text : nil) }
            if let joke = after.joke { words.add(joke) }
            if let joke = before.joke, let place = before.place(of: group, told: told, shuffle: shuffle),
                let labels = isEdited ? edit?.labels : try connection.labels(of: joke)
            {
                try draws.remove(place, labels)
            }
            if let joke = after.joke, let place = after.place(of: group, told: told, shuffle: shuffle),
                let labels = try connection.labels(of: joke)
            {
                try draws.add(place, labels)
            }
        }
        guard before != after else { return }
        try connection.prepare("UPDATE groups SET shown = ?, source = ?, length = ? WHERE key = ?")
            .run(after.joke, after.source, after.length, group)
        if let source = before.source { shownChanges[source, default: 0] -= 1 }
        if let source = after.source { shownChanges[source, default: 0] += 1 }
    }

    /// Works out anew what a group shows that has lost a joke; removes it where that was the last.
    mutating func updateOrRemove(_ group: Int64, after edit: Edit) throws {
        try update(group, after: edit)
        try connection.prepare(
            "DELETE FROM groups WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM jokes WHERE joke_group = ?1)"
        ).run(group)
    }

    /// Writes what waits where it is so much that memory counts.
    mutating func settleMany() throws {
        if words.pending >= 5_000 { try words.settle() }
    }

    /// Stores the counts and the words.
    mutating func settle() throws {
        try words.settle()
        try draws.settle()
        for (source, change) in shownChanges where change != 0 {
            try connection.prepare("UPDATE sources SET shown = shown + ? WHERE key = ?").run(change, source)
        }
        shownChanges = [:]
    }
}

extension Connection {
    /// Whether a query without values has a row.
    func has(_ query: String) throws -> Bool {
        try prepare(query).first { _ in true } ?? false
    }
}
