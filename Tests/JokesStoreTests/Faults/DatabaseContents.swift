import JokesStore
import SQLite
import TestSupport

/// Returns the contents of a database, one line for each row; nil if there is no database yet.
///
/// Leaves out the tables of SQLite, the full-text index (see `checkDatabase`), and the column `shuffle`, into which a
/// repeated operation writes other random numbers.
func databaseContents(at path: String) throws -> [String]? {
    let connection: Connection
    do {
        connection = try Connection(path: path, access: .reading)
    } catch let error as SQLiteError where error.code == .cannotOpen {
        return nil
    }
    let tables: [String] = try connection.prepare(
        """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'shown_words%' AND name NOT LIKE 'sqlite_%' ORDER BY name
        """
    ).map { row in try row.read(0) }
    if tables.isEmpty { return nil }
    return try tables.flatMap { table in
        let columns: [String] = try connection.prepare(
            "SELECT name FROM pragma_table_info(?) WHERE name <> 'shuffle' ORDER BY cid"
        ).map(table) { row in try row.read(0) }
        let row = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
        return try connection.prepare("SELECT '\(table) ' || \(row) FROM \(table) ORDER BY 1").map { row in
            try row.read(0, as: String.self)
        }
    }
}

/// Checks the invariants of a database: sound pages, valid references, a full-text index with
/// exactly the words of the shown jokes, and tables that agree with each other.
func checkDatabase(_ path: String) throws {
    let connection = try Connection(path: path, access: .writing, tokenizer: Schema.tokenizer)
    let diagnostics: [String] = try connection.prepare("PRAGMA integrity_check").map { row in try row.read(0) }
    try verify(diagnostics == ["ok"], "\(diagnostics)")
    // FTS5 checks its index on this insertion, which fails with SQLITE_CORRUPT if the index is damaged.
    try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
    try checkTables(connection)
}
