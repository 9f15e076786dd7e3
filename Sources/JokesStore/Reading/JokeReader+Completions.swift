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

    /// Returns the IDs with the prefix in order, or common prefixes of the IDs if there are too many (`Completions`).
    ///
    /// O(limit · log n) for shown jokes. Also reads excluded favorites for `favorites`, and up to 10,000 hidden marks
    /// for `hidden`.
    package func completions(ofIDs kind: IDKind, _ prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list IDs") {
            let completions = Completions(limit: limit)
            // The operand of FROM, with a WHERE clause to which `AND` can add conditions.
            let rows: String
            switch kind {
            case .shown: rows = "jokes j WHERE EXISTS (SELECT 1 FROM groups WHERE shown = j.key)"
            case .favorites: rows = "favorites WHERE +admitted = 1"
            case .hidden:
                let ids = try hiddenIDs()
                return completions.words(beginningWith: prefix) { from, end, count in
                    let isBefore = { (id: String, bound: String) in id.utf8.lexicographicallyPrecedes(bound.utf8) }
                    return Array(ids.drop { isBefore($0, from) }.prefix(count).prefix { isBefore($0, end) })
                }
            }
            let statement = try connection.prepare(
                "SELECT id FROM \(rows) AND id >= ? AND id < ? ORDER BY id LIMIT ?")
            return try completions.words(beginningWith: prefix) { from, end, count in
                try statement.map(from, end, count) { row in try row.read(0) }
            }
        }
    }

    /// Returns the IDs of hidden jokes in order.
    private func hiddenIDs() throws -> [String] {
        try connection.prepare(
            """
            SELECT j.id FROM (SELECT fingerprint FROM hidden LIMIT 10000) h
                CROSS JOIN groups g ON substr(g.fingerprint, 1, 6) = substr(h.fingerprint, 1, 6)
                    AND g.fingerprint = h.fingerprint
                CROSS JOIN jokes j ON j.joke_group = g.key
            WHERE j.admitted = 1 ORDER BY j.id
            """
        ).map { row in try row.read(0) }
    }

    /// Returns the categories of shown jokes in order, without duplicates that differ by case. O(n) in shown jokes.
    package func categories(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list categories") {
            try connection.prepare(
                "SELECT DISTINCT name FROM shown_categories WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
            ).map(prefix, Completions.end(of: prefix), limit) { row in try row.read(0) }
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
            ).map(prefix, Completions.end(of: prefix), limit) { row in try row.read(0) }
        }
    }
}

/// Finds the completions of a prefix in a long ordered list. If there are too many words, their common prefixes are the
/// completions.
///
/// A shell inserts the common prefix of all completions, so the list must not be truncated.
struct Completions {
    /// The maximum number of completions.
    let limit: Int

    /// The character after the name of the source in an ID.
    private static let nameEnd: Unicode.Scalar = ":"

    /// Returns an upper bound of the words with the prefix. No word has U+10FFFF, the largest code point.
    static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

    /// Returns all words with the prefix in order, if their number is at most `limit`.
    ///
    /// Otherwise, returns at most `limit` longer prefixes that have the same common prefix as the words. If these also
    /// exceed the limit, returns only the longest common prefix, or nothing if this is `prefix` itself.
    ///
    /// `next` returns the first `count` words from `from` up to but not including `end`, in the order of code points.
    func words(
        beginningWith prefix: String, _ next: (_ from: String, _ end: String, _ count: Int) throws -> [String]
    ) rethrows -> [String] {
        let all = try next(prefix, Self.end(of: prefix), limit + 1)
        guard all.count > limit else { return all }
        var common = prefix
        while true {
            var children = try self.children(of: common, wholeNames: true, next)
            if children.count > limit { children = try self.children(of: common, wholeNames: false, next) }
            if children.count > limit { return common == prefix ? [] : [common] }
            guard children.count == 1 else { return children }
            // All words have this longer prefix, so the next pass looks for a difference after it.
            common = children[0]
        }
    }

    /// Returns the next longer prefixes of the words that begin with `common` (`child`), at most `limit` + 1. Also
    /// returns `common` if it is a word.
    private func children(
        of common: String, wholeNames: Bool, _ next: (_ from: String, _ end: String, _ count: Int) throws -> [String]
    ) rethrows -> [String] {
        var children: [String] = []
        var from = common
        while children.count <= limit, let word = try next(from, Self.end(of: common), 1).first {
            let child = Self.child(of: common, towards: word, wholeNames: wholeNames)
            children.append(child)
            from = child == common ? common + "\u{0}" : Self.end(of: child)
        }
        return children
    }

    /// Returns the prefix of a word that is longer than `common` by one character. Within a source name and with
    /// `wholeNames`, the prefix is longer by the rest of the name.
    private static func child(of common: String, towards word: String, wholeNames: Bool) -> String {
        let scalars = word.unicodeScalars
        let rest = scalars.dropFirst(common.unicodeScalars.count)
        let isInName = wholeNames && !common.unicodeScalars.contains(nameEnd)
        let last = isInName ? rest.firstIndex(of: nameEnd) : rest.indices.first
        return String(scalars[..<(last.map(scalars.index(after:)) ?? scalars.endIndex)])
    }
}
