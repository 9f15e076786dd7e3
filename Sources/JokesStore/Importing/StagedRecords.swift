import JokesCore
import SQLite

/// The staged records of an import, in a temporary database of the connection. SQLite writes a large temporary
/// database to disk.
///
/// Several imports share the tables: `number` is the value of the column `import`.
struct StagedRecords {
    private let connection: Connection
    private let number: Int64

    /// The maximum number of rows that one query reads.
    private static let rowsPerRead = 500
    private static let tables = ["staged.favorites", "staged.hidden", "staged.jokes"]

    init(_ connection: Connection, number: Int64) throws {
        (self.connection, self.number) = (connection, number)
        // SQLite's own temporary database would keep its disk space for the lifetime of the connection.
        if try !connection.hasRow("SELECT 1 FROM pragma_database_list WHERE name = 'staged'") {
            try connection.execute("ATTACH '' AS staged")
        }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS staged.favorites (
                key INTEGER PRIMARY KEY, import INTEGER NOT NULL, id TEXT NOT NULL, favorited_at INTEGER NOT NULL,
                first_seen INTEGER NOT NULL, note TEXT, \(Schema.contentDefinitions)) STRICT;
            CREATE TABLE IF NOT EXISTS staged.hidden (
                key INTEGER PRIMARY KEY, import INTEGER NOT NULL, fingerprint BLOB NOT NULL,
                hidden_at INTEGER NOT NULL) STRICT;
            CREATE TABLE IF NOT EXISTS staged.jokes (
                key INTEGER PRIMARY KEY, import INTEGER NOT NULL, id TEXT NOT NULL, first_seen INTEGER NOT NULL,
                \(Schema.contentDefinitions)) STRICT;
            """)
    }

    /// Appends all records or none.
    func append(_ records: [ExchangeRecord]) throws {
        // A transaction that writes only to the temporary database takes no lock of the main database.
        try connection.read { try records.forEach(append) }
    }

    private func append(_ record: ExchangeRecord) throws {
        switch record {
        case .favorite(let favorite):
            try insert(
                into: "staged.favorites", "import, id, favorited_at, first_seen, note", favorite.content, number,
                favorite.id, favorite.favoritedAt, favorite.firstSeen, favorite.note)
        case .joke(let joke):
            try insert(
                into: "staged.jokes", "import, id, first_seen", joke.content, number, joke.id, joke.firstSeen)
        case .hidden(let mark):
            try connection.prepare("INSERT INTO staged.hidden (import, fingerprint, hidden_at) VALUES (?, ?, ?)")
                .run(number, mark.fingerprint, mark.hiddenAt)
        }
    }

    /// Inserts a row with the values of the columns, and with the content.
    private func insert<each Value: ColumnValue>(
        into table: String, _ columns: String, _ content: JokeContent, _ values: repeat each Value
    ) throws {
        var placeholders = "?, ?, ?, ?, ?, ?, ?, ?, ?"
        for _ in repeat (each Value).self { placeholders += ", ?" }
        try connection.prepare(
            "INSERT INTO \(table) (\(columns), \(Schema.contentColumns)) VALUES (\(placeholders))"
        ).run(
            repeat each values, content.text.setup, content.text.punchline, content.language,
            CategoryList(content.categories), content.flags, content.safety, content.url, content.author,
            content.upstreamDate)
    }

    var count: Int {
        get throws { try Self.tables.reduce(0) { count, table in try count + self.count("\(table) WHERE import = ?") } }
    }

    var holdsManyJokes: Bool {
        get throws { try count("(SELECT 1 FROM staged.jokes WHERE import = ? LIMIT 500)") == 500 }
    }

    private func count(_ rows: String) throws -> Int {
        try connection.prepare("SELECT count(*) FROM \(rows)").first(number) { row in try row.read(0) } ?? 0
    }

    // MARK: Reading, from the last record of the file to the first

    // Files begin with the newest record, which is read last and so gets the largest key in the store.

    func forEachFavorite(_ body: (Favorite) throws -> Void) throws {
        try forEach("favorites", Favorite.columns, body) { row in try Favorite(row: row, from: 1) }
    }

    func forEachHidden(_ body: (HiddenMark) throws -> Void) throws {
        try forEach("hidden", "fingerprint, hidden_at", body) { row in
            HiddenMark(fingerprint: try row.read(1), hiddenAt: try row.read(2))
        }
    }

    func forEachJoke(_ body: (Joke) throws -> Void) throws {
        try forEach("jokes", "id, first_seen, \(Schema.contentColumns)", body) { row in
            let content = try JokeContent(row: row, from: 3)
            return Joke(id: try row.read(1), content: content, isFavorite: false, firstSeen: try row.read(2))
        }
    }

    private func forEach<Record>(
        _ table: String, _ columns: String, _ body: (Record) throws -> Void, read: (borrowing Row) throws -> Record
    ) throws {
        var key = Int64.max
        while true {
            let page = try connection.prepare(
                "SELECT key, \(columns) FROM staged.\(table) WHERE import = ? AND key < ? ORDER BY key DESC LIMIT ?"
            ).map(number, key, Self.rowsPerRead) { row in (try row.read(0, as: Int64.self), try read(row)) }
            for (_, record) in page { try body(record) }
            guard page.count == Self.rowsPerRead, let last = page.last else { return }
            key = last.0
        }
    }

    /// Removes the records, and returns the disk space if no other import is staged.
    func remove() throws {
        for table in Self.tables { try connection.prepare("DELETE FROM \(table) WHERE import = ?").run(number) }
        for table in Self.tables where try connection.hasRow("SELECT 1 FROM \(table) LIMIT 1") { return }
        try connection.execute("DETACH staged")
    }
}
