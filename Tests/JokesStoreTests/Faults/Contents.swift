import SQLite
import TestSupport

/// Everything that a database says, a line a row; nil where there is no database yet.
///
/// Left out are the places that chance gives: a call that is made again draws others.
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

/// Holds a database to what must be true of every one: whole pages, references that lead somewhere, an index that has
/// the words that are shown and no others, and what the tables say of each other.
func checkDatabase(_ path: String) throws {
    let connection = try Connection(path: path, .init(access: .writing))
    let findings: [String] = try connection.prepare("PRAGMA integrity_check").map { row in try row.read(0) }
    try hold(findings == ["ok"], "\(findings)")
    // Reports what it finds as an error.
    try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
    try checkTables(connection)
}
