import SQLite

/// What the store remembers of itself, in the table of settings.
enum Setting: String {
    /// The signature of the rules by which it was worked out what is shown.
    case rules
    /// When all jokes were last looked at for their age.
    case agedAt = "aged_at"
    /// What became of damaged databases before this one, as long as nobody has seen it.
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

    /// The number that a statement without values gives; 0 where it gives none.
    func number(_ sql: String) throws -> Int {
        try prepare(sql).first { row in try row.read(0) } ?? 0
    }
}
