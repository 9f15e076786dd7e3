import JokesCore
import SQLite

/// Decides which joke of each group is shown, within a transaction. `flush` must be the last call.
///
/// Updates all data about shown jokes: columns of the group, the full-text index, the categories, and the counts of the
/// sources. Also updates the column `admitted` of jokes and favorites.
struct ShownJokes {
    private let connection: Connection
    private let rules: DisplayRules
    private let groupInsertion: Statement
    private let wordInsertion: Statement
    private let categoryInsertion: Statement
    /// The changes of `sources.shown`, by the key of the source.
    private var countChanges: [Int64: Int] = [:]
    /// The jokes to remove from the full-text index, with the texts that the index has.
    private var removedWords: [(joke: Int64, text: JokeText)] = []
    /// The keys of jokes to add to the full-text index, with the texts that they have at the next flush.
    private var addedWords: Set<Int64> = []
    private let hasHiddenMarks: Bool
    /// True if `admitted` of a favorite has changed.
    private(set) var hasChangedFavorites = false

    init(_ connection: Connection, _ rules: DisplayRules) throws {
        (self.connection, self.rules) = (connection, rules)
        groupInsertion = try connection.prepare(
            """
            INSERT INTO groups (key, fingerprint, shuffle, shown, source, length, language, flags, is_unsafe)
            VALUES (?, ?, ?, ?, ?, ?, lower(?), ?, ?)
            """)
        wordInsertion = try connection.prepare("INSERT INTO shown_words (rowid, setup, punchline) VALUES (?, ?, ?)")
        categoryInsertion = try connection.prepare("INSERT OR IGNORE INTO shown_categories (name, joke) VALUES (?, ?)")
        hasHiddenMarks = try connection.hasRow("SELECT 1 FROM hidden LIMIT 1")
    }

    /// Returns a random position of a group within a round.
    ///
    /// The highest of 32 bits is fixed for a group, which is thus in the same half of all rounds. No joke from the end
    /// of a round is at the beginning of the next round. The bit is the parity of the number of 1 bits in the key. For
    /// ascending keys, these bits are the Thue–Morse sequence, which is balanced and aperiodic.
    static func randomPosition(of group: Int64, using randomness: inout some RandomNumberGenerator) -> Int64 {
        Int64(group.nonzeroBitCount & 1) << 31 | Int64.random(in: 0..<1 << 31, using: &randomness)
    }

    /// The joke that a new group shows.
    typealias InitialJoke = (joke: Int64, source: Int64, content: JokeContent)

    /// Inserts the group of a joke, which shows the initial joke unless its text is hidden. The caller must insert the
    /// joke in the same transaction, with a larger key than all jokes that the transaction has inserted before.
    mutating func insertGroup(
        _ key: Int64, of joke: NormalizedJoke, showing initial: InitialJoke?,
        using randomness: inout some RandomNumberGenerator
    ) throws {
        let initial = try hasHiddenMarks && isHidden(joke.fingerprint) ? nil : initial
        try groupInsertion.run(
            key, joke.fingerprint, Self.randomPosition(of: key, using: &randomness), initial?.joke, initial?.source,
            initial?.content.text.length, initial?.content.language, joke.content.flags,
            joke.content.safety == .unsafe)
        guard let (joke, source, content) = initial else { return }
        // Written at once, because the keys ascend (see `flush`).
        try wordInsertion.run(joke, content.text.setup, content.text.punchline)
        try add(content.categories, of: joke)
        countChanges[source, default: 0] += 1
    }

    private func isHidden(_ fingerprint: Fingerprint) throws -> Bool {
        try connection.prepare("SELECT 1 FROM hidden WHERE fingerprint = ?").first(fingerprint) { _ in true } ?? false
    }

    private func add(_ categories: [String], of joke: Int64) throws {
        for name in categories { try categoryInsertion.run(name, joke) }
    }

    private typealias Shown = (joke: Int64, source: Int64, categories: CategoryList)

    /// Updates `admitted` of the jokes and the favorite of a group. Then selects the joke that the group shows: the
    /// oldest joke of the first source in the configured order, among the jokes that pass the filters. If the text is
    /// hidden, the group shows no joke.
    ///
    /// O(log n) in all jokes, and O(k log k) in the jokes of the group.
    mutating func update(_ group: Int64) throws {
        if try connection.updateAdmission(in: group, by: rules) { hasChangedFavorites = true }
        let before = try connection.prepare("SELECT ifnull(shown, 0) FROM groups WHERE key = ?")
            .first(group) { row in try row.read(0, as: Int64.self) }
        let after = try connection.prepare(
            """
            SELECT j.key, j.source, j.categories
            FROM groups g JOIN jokes j ON j.joke_group = g.key JOIN sources s ON s.key = j.source
            WHERE g.key = ? AND j.admitted = 1
                AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
            ORDER BY s.order_index, j.key LIMIT 1
            """
        ).first(group) { row -> Shown? in try (row.read(0), row.read(1), row.read(2)) }
        guard let before, before != after?.joke ?? 0 else { return }
        try clearShownJoke(of: group)
        guard let (joke, source, categories) = after else { return }
        try connection.prepare(
            """
            UPDATE groups SET (shown, source, length, language) =
                (SELECT key, source, length, lower(language) FROM jokes WHERE key = ?)
            WHERE key = ?
            """
        ).run(joke, group)
        addedWords.insert(joke)
        try add(categories.names, of: joke)
        countChanges[source, default: 0] += 1
    }

    /// Makes a group show no joke. Must be called before the shown joke is changed or removed, and `update` afterwards.
    mutating func clearShownJoke(of group: Int64) throws {
        let found = try connection.prepare(
            """
            SELECT j.key, j.source, j.categories, j.setup, j.punchline
            FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?
            """
        ).first(group) { row -> (shown: Shown, text: JokeText)? in
            try ((row.read(0), row.read(1), row.read(2)), JokeText(setup: row.read(3), punchline: row.read(4)))
        }
        guard let ((joke, source, categories), text) = found else { return }
        try connection.prepare(
            "UPDATE groups SET shown = NULL, source = NULL, length = NULL, language = NULL WHERE key = ?"
        ).run(group)
        // A joke that was added since the last flush is not in the index yet.
        if addedWords.remove(joke) == nil { removedWords.append((joke, text)) }
        let categoryDeletion = try connection.prepare("DELETE FROM shown_categories WHERE name = ? AND joke = ?")
        for name in categories.names { try categoryDeletion.run(name, joke) }
        countChanges[source, default: 0] -= 1
    }

    /// Flushes if there are many pending changes, which need memory.
    mutating func flushIfLarge() throws {
        if removedWords.count + addedWords.count >= 5_000 { try flush() }
    }

    /// Writes the pending changes of the full-text index and of the counts.
    ///
    /// FTS5 writes a segment when a key is smaller than the previous key, so the changes are sorted by key.
    mutating func flush() throws {
        for (joke, text) in removedWords.sorted(by: { $0.joke < $1.joke }) {
            try connection.prepare(
                "INSERT INTO shown_words (shown_words, rowid, setup, punchline) VALUES ('delete', ?, ?, ?)"
            ).run(joke, text.setup, text.punchline)
        }
        for joke in addedWords.sorted() {
            try connection.prepare(
                "INSERT INTO shown_words (rowid, setup, punchline) SELECT key, setup, punchline FROM jokes WHERE key = ?"
            ).run(joke)
        }
        for (source, change) in countChanges where change != 0 {
            try connection.prepare("UPDATE sources SET shown = shown + ? WHERE key = ?").run(change, source)
        }
        (removedWords, addedWords, countChanges) = ([], [], [:])
    }
}
