import SQLite
import TestSupport

/// The contents of a database, one line for each row; nil if there is no database yet.
///
/// Random positions are left out: a repeated call picks others.
func contents(of path: String) throws -> [String]? {
    let connection: Connection
    do {
        connection = try Connection(path: path, .init(access: .reading))
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
    let connection = try Connection(path: path, .init(access: .writing))
    let diagnostics: [String] = try connection.prepare("PRAGMA integrity_check").map { row in try row.read(0) }
    try hold(diagnostics == ["ok"], "\(diagnostics)")
    // It reports damage as an error.
    try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
    try checkTables(connection)
}
