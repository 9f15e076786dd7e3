import JokesCore
import SQLite

extension JokeReader {
    /// The jokes whose IDs are completed.
    package enum IDKind: Hashable, Sendable {
        case shown
        case favorites
        /// Hidden jokes that are still stored.
        case hidden
    }

    /// Returns the IDs with the prefix in order. If there are more than `limit`, returns the names of their sources, each with a
    /// colon. If there are more than `limit` sources, or one alone, returns the longest beginning that the IDs share, or nothing
    /// if this is the prefix.
    ///
    /// O(limit · log n) for shown jokes. Also reads excluded favorites for `favorites`, and all hidden marks for `hidden`.
    package func completions(ofIDs kind: IDKind, _ prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list IDs") {
            // The operand of FROM, with a WHERE clause to which `AND` can add conditions.
            let rows =
                switch kind {
                case .shown: "jokes j WHERE EXISTS (SELECT 1 FROM groups WHERE shown = j.key)"
                case .favorites: "favorites WHERE +admitted = 1"
                case .hidden:
                    "\(Schema.hiddenAndGroups) CROSS JOIN jokes j ON j.joke_group = g.key WHERE j.admitted = 1"
                }
            func ids(from first: String, _ order: String = "ASC", limit: Int) throws -> [String] {
                try connection.prepare("SELECT id FROM \(rows) AND id >= ? AND id < ? ORDER BY id \(order) LIMIT ?")
                    .map(first, Self.end(of: prefix), limit) { row in try row.read(0) }
            }
            let all = try ids(from: prefix, limit: limit + 1)
            guard all.count > limit, let last = try ids(from: prefix, "DESC", limit: 1).first else { return all }
            let pairs = zip(all[0].unicodeScalars, last.unicodeScalars)
            let shared = String(String.UnicodeScalarView(pairs.prefix { $0 == $1 }.map(\.0)))
            var sources: [String] = []
            while !shared.contains(":"), sources.count <= limit,
                let id = try ids(from: sources.last.map(Self.end) ?? prefix, limit: 1).first
            {
                sources.append(id.prefix { $0 != ":" } + ":")
            }
            if (1...limit).contains(sources.count) { return sources }
            return shared == prefix ? [] : [shared]
        }
    }

    /// Returns an upper bound of the words with the prefix. No word has U+10FFFF, the largest code point.
    static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

    /// Returns the categories of shown jokes in order, without duplicates that differ by case. O(n) in shown jokes.
    package func categories(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list categories") {
            try connection.prepare(
                "SELECT DISTINCT name FROM shown_categories WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
            ).map(prefix, Self.end(of: prefix), limit) { row in try row.read(0) }
        }
    }

    /// Returns the languages of shown jokes in order, in lower case. O(n) in shown jokes.
    package func languages(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list languages") {
            try connection.prepare(
                """
                SELECT DISTINCT language FROM groups
                WHERE source IS NOT NULL AND language >= lower(?1) AND language < lower(?2)
                ORDER BY language LIMIT ?3
                """
            ).map(prefix, Self.end(of: prefix), limit) { row in try row.read(0) }
        }
    }
}
