import JokesCore
import SQLite

/// The joke that a group shows, with the values that the indexes have.
struct ShownJoke: Equatable {
    let joke: Int64
    let source: Int64
    let text: JokeText
    let categories: [String]
    let language: String

    init(joke: Int64, source: Int64, _ content: JokeContent) {
        (self.joke, self.source) = (joke, source)
        (text, categories, language) = (content.text, content.categories, content.language)
    }

    /// Reads the joke that a group shows; nil if there is none.
    init?(of group: Int64, _ connection: Connection) throws {
        let found = try connection.prepare(
            """
            SELECT j.key, j.source, \(Schema.contentColumns.prefixed("j"))
            FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?
            """
        ).first(group) { row in
            ShownJoke(joke: try row.read(0), source: try row.read(1), try JokeContent(row: row, from: 2))
        }
        guard let found else { return nil }
        self = found
    }
}

/// The tables that are made from shown jokes: the full-text index, the categories, and the counts of the sources.
struct ShownJokeIndex {
    private let connection: Connection
    private let wordInsertion: Statement
    private let categoryInsertion: Statement
    /// The changes of `sources.shown`, by the key of the source.
    private var counts: [Int64: Int] = [:]
    /// The jokes to remove from the full-text index, with the texts that the index has, and those to add.
    private var (removed, added): ([ShownJoke], [ShownJoke]) = ([], [])

    /// The number of pending changes, whose texts are in memory, at which `flushIfLarge` writes them.
    private static let maxPending = 5_000

    init(_ connection: Connection) throws {
        self.connection = connection
        wordInsertion = try connection.prepare("INSERT INTO shown_words (rowid, setup, punchline) VALUES (?, ?, ?)")
        categoryInsertion = try connection.prepare("INSERT OR IGNORE INTO shown_categories (name, joke) VALUES (?, ?)")
    }

    /// Inserts a joke with a larger key than all jokes of the transaction, with its words.
    mutating func insert(_ joke: ShownJoke) throws {
        try wordInsertion.run(joke.joke, joke.text.setup, joke.text.punchline)
        try count(joke)
    }

    mutating func add(_ joke: ShownJoke) throws {
        added.append(joke)
        try count(joke)
    }

    private mutating func count(_ joke: ShownJoke) throws {
        for name in joke.categories { try categoryInsertion.run(name, joke.joke) }
        counts[joke.source, default: 0] += 1
    }

    mutating func remove(_ joke: ShownJoke) throws {
        removed.append(joke)
        let deletion = try connection.prepare("DELETE FROM shown_categories WHERE name = ? AND joke = ?")
        for name in joke.categories { try deletion.run(name, joke.joke) }
        counts[joke.source, default: 0] -= 1
    }

    mutating func flushIfLarge() throws {
        if removed.count + added.count >= Self.maxPending { try flush() }
    }

    /// Writes the words and the counts.
    ///
    /// FTS5 writes a segment when a key is smaller than the previous key, so the changes are sorted by key.
    mutating func flush() throws {
        let deletion = try connection.prepare(
            "INSERT INTO shown_words (shown_words, rowid, setup, punchline) VALUES ('delete', ?, ?, ?)")
        for joke in removed.sorted(by: { $0.joke < $1.joke }) {
            try deletion.run(joke.joke, joke.text.setup, joke.text.punchline)
        }
        for joke in added.sorted(by: { $0.joke < $1.joke }) {
            try wordInsertion.run(joke.joke, joke.text.setup, joke.text.punchline)
        }
        for (source, change) in counts where change != 0 {
            try connection.prepare("UPDATE sources SET shown = shown + ? WHERE key = ?").run(change, source)
        }
        (removed, added, counts) = ([], [], [:])
    }
}
