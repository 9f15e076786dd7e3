import JokesCore
import SQLite

/// What a joke can be asked for by, besides its source and its length.
struct JokeLabels {
    let language: String
    let categories: [String]

    static let columns = "language, categories"

    init(language: String, categories: [String]) {
        self.language = language
        self.categories = categories
    }

    init(of content: JokeContent) {
        language = content.language
        categories = content.categories
    }

    /// Reads `columns`, the first of which is the row's column `first`.
    init(row: borrowing Row, from first: Int) throws {
        language = try row.read(first)
        categories = try row.read(first + 1, as: CategoryList.self).names
    }
}

/// Keeps, within a transaction, the orders in which jokes are drawn, and how many jokes are in each.
///
/// `settle` must be the last call.
struct Draws {
    /// Where a group stands in its orders.
    struct Place {
        let group: Int64
        let source: Int64
        let told: Int
        let length: Int
        let shuffle: Int64
    }

    /// What has an order of its own.
    private struct Pool: Hashable {
        let category: String
        let source: Int64
        let language: String
    }

    private let connection: Connection
    private let insertion: Statement
    private let removal: Statement
    private var keys: [Pool: Int64] = [:]
    /// By the keys of pools.
    private var changes: [Int64: Int] = [:]
    /// The pool that was asked for last: most of a batch are in one.
    private var latest: (pool: Pool, key: Int64, change: Int)?

    init(_ connection: Connection) throws {
        self.connection = connection
        // Names that differ by their case alone are one category.
        insertion = try connection.prepare(
            "INSERT OR IGNORE INTO random_order (bucket, serve_count, length, shuffle, joke_group) VALUES (?, ?, ?, ?, ?)"
        )
        removal = try connection.prepare(
            "DELETE FROM random_order WHERE bucket = ? AND serve_count = ? AND length = ? AND shuffle = ? AND joke_group = ?"
        )
    }

    mutating func add(_ place: Place, _ labels: JokeLabels) throws {
        try change(place, labels, by: insertion, 1)
    }

    mutating func remove(_ place: Place, _ labels: JokeLabels) throws {
        try change(place, labels, by: removal, -1)
    }

    private mutating func change(_ place: Place, _ labels: JokeLabels, by statement: Statement, _ count: Int) throws {
        try change(place, labels.language, Schema.anyCategory, by: statement, count)
        for category in labels.categories { try change(place, labels.language, category, by: statement, count) }
    }

    private mutating func change(
        _ place: Place, _ language: String, _ category: String, by statement: Statement, _ count: Int
    ) throws {
        let pool = try key(of: Pool(category: category, source: place.source, language: language))
        try statement.run(pool, place.told, place.length, place.shuffle, place.group)
        if connection.changes > 0 { latest?.change += count }
    }

    /// The key of a pool, which is made where there is none, and is the latest then.
    private mutating func key(of pool: Pool) throws -> Int64 {
        if let latest, latest.pool == pool { return latest.key }
        countLatest()
        let key = try keys[pool] ?? connection.poolKey(pool.category, pool.source, pool.language)
        keys[pool] = key
        latest = (pool, key, 0)
        return key
    }

    private mutating func countLatest() {
        if let latest { changes[latest.key, default: 0] += latest.change }
        latest = nil
    }

    /// Counts a group as told so many times more, and gives it another place among those told as often.
    mutating func tell(_ group: Int64, times: Int, shuffle: UInt32, at now: Timestamp) throws {
        let shown = try connection.prepare(
            """
            SELECT g.source, g.serve_count, g.length, g.shuffle, \(JokeLabels.columns)
            FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?
            """
        ).first(group) { row in
            let place = Place(
                group: group, source: try row.read(0), told: try row.read(1), length: try row.read(2),
                shuffle: try row.read(3))
            return (place: place, labels: try JokeLabels(row: row, from: 4))
        }
        try connection.prepare(
            "UPDATE groups SET serve_count = serve_count + ?, served_at = ?, shuffle = ? WHERE key = ?"
        )
        .run(times, now, Int64(shuffle), group)
        guard let (before, labels) = shown else { return }
        try remove(before, labels)
        let after = Place(
            group: group, source: before.source, told: before.told + times, length: before.length,
            shuffle: Int64(shuffle))
        try add(after, labels)
    }

    /// Stores the counts.
    mutating func settle() throws {
        countLatest()
        for (pool, change) in changes {
            try connection.prepare("UPDATE random_buckets SET jokes = jokes + ? WHERE key = ?").run(change, pool)
            try connection.prepare("DELETE FROM random_buckets WHERE key = ? AND jokes = 0").run(pool)
        }
        keys = [:]
        changes = [:]
    }
}

extension Connection {
    fileprivate func poolKey(_ category: String, _ source: Int64, _ language: String) throws -> Int64 {
        let known = try prepare(
            "SELECT key FROM random_buckets WHERE category = ? AND source = ? AND language = lower(?)"
        )
        .first(category, source, language) { row in try row.read(0, as: Int64.self) }
        if let known { return known }
        try prepare("INSERT INTO random_buckets (category, source, language, jokes) VALUES (?, ?, lower(?), 0)")
            .run(category, source, language)
        return lastInsertedKey
    }

    /// What a stored joke can be asked for by; nil where there is none with the key.
    func labels(of joke: Int64) throws -> JokeLabels? {
        try prepare("SELECT \(JokeLabels.columns) FROM jokes WHERE key = ?").first(joke) { row in
            try JokeLabels(row: row, from: 0)
        }
    }
}
