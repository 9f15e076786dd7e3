import SQLite

/// A row of the table `settings`.
enum Setting: String {
    /// The signature of the rules that decided which jokes are shown.
    case rules
    /// The time at which old jokes were last evicted.
    case agedAt = "aged_at"
    /// The recoveries that no person has seen yet.
    case recoveries
    /// The last change of the journal that the database has.
    case journal
}

extension Connection {
    func setting(_ setting: Setting) throws -> String? {
        try prepare("SELECT value FROM settings WHERE name = ?").first(setting.rawValue) { row in try row.read(0) }
    }

    func set(_ setting: Setting, to value: String) throws {
        try prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)").run(setting.rawValue, value)
    }

    /// Returns the number that a statement without parameters selects; 0 without a row.
    func number(_ sql: String) throws -> Int {
        try prepare(sql).first { row in try row.read(0) } ?? 0
    }
}
