import JokesCore
import SQLite

extension Connection {
    /// Applies the rules to all jokes and favorites; does nothing if equal rules were applied last.
    ///
    /// O(n) for the filters, and O(log n) for each joke that is shown or hidden by them, in one transaction: a filter
    /// holds for all jokes or for none (docs/architecture.md, limits).
    func adopt(_ rules: ShowingRules) throws {
        let signature = rules.signature
        guard try setting(.rules) != signature else { return }
        try write {
            try order(rules.sourceOrder)
            var shown = try ShownJokes(self, rules)
            let changed = try complete(by: rules, &shown)
            for group in try Set(groupsOfSeveral() + admit(by: rules) + changed).sorted() {
                try shown.update(group)
                try shown.flushIfLarge()
            }
            try completeFavorites(by: rules)
            for group in try groupsOfFavorites() { try admitFavorite(in: group, by: rules) }
            try shown.flush()
            try set(.rules, to: signature)
        }
    }

    private func order(_ names: [String]) throws {
        try prepare("UPDATE sources SET position = ?1 WHERE position <> ?2").run(
            Schema.removedPlace, Schema.unconfiguredPlace)
        for (place, name) in names.enumerated() {
            let key = try sourceKey(name)
            try prepare("UPDATE sources SET position = ? WHERE key = ?").run(place, key)
        }
    }

    /// The groups that depend on the order of sources.
    private func groupsOfSeveral() throws -> [Int64] {
        try prepare("SELECT joke_group FROM jokes GROUP BY joke_group HAVING count(*) > 1").map { row in
            try row.read(0)
        }
    }

    /// Applies the defaults of the sources.
    ///
    /// - Returns: The groups that showed a joke which has changed. They show none now.
    private func complete(by rules: ShowingRules, _ shown: inout ShownJokes) throws -> [Int64] {
        let changed = try prepare(
            """
            SELECT j.key, iif(g.shown = j.key, g.key, NULL), j.language, j.safety, s.name, j.categories, j.flags,
                j.stated_language, j.stated_safety
            FROM jokes j JOIN groups g ON g.key = j.joke_group JOIN sources s ON s.key = j.source
            """
        ).map { row -> (key: Int64, group: Int64?, content: JokeContent)? in
            let (language, safety): (String, Safety) = (try row.read(2), try row.read(3))
            let stated = JokeContent(
                text: .single(""), language: try row.read(7), categories: try row.read(5, as: CategoryList.self).names,
                flags: try row.read(6), safety: try row.read(8))
            let content = rules.completed(stated, from: try row.read(4))
            if (content.language, content.safety) == (language, safety) { return nil }
            return (try row.read(0), try row.read(1), content)
        }.compactMap(\.self)
        for (key, group, content) in changed {
            if let group { try shown.hide(group) }
            try shown.flushIfLarge()
            try prepare("UPDATE jokes SET language = ?, safety = ? WHERE key = ?")
                .run(content.language, content.safety, key)
        }
        return changed.compactMap(\.group)
    }

    /// Marks which jokes pass; returns the groups of those that did not before, or no longer do.
    private func admit(by rules: ShowingRules) throws -> [Int64] {
        let changed = try prepare(
            """
            SELECT j.key, j.joke_group, j.admitted, s.name, s.position, \(Schema.contentColumns)
            FROM jokes j JOIN sources s ON s.key = j.source
            """
        ).map { row -> (key: Int64, group: Int64, isAdmitted: Bool)? in
            let isRemoved = try row.read(4, as: Int.self) == Schema.removedPlace
            let content = try JokeContent(row: row, from: 5)
            let isAdmitted = try !isRemoved && rules.admits(content, from: row.read(3))
            let wasAdmitted: Bool = try row.read(2)
            return isAdmitted == wasAdmitted ? nil : (try row.read(0), try row.read(1), isAdmitted)
        }.compactMap(\.self)
        for (key, _, isAdmitted) in changed {
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, key)
        }
        return changed.map(\.group)
    }

    /// Gives favorites the language and safety that their jokes have now, and marks which pass; none is lost.
    ///
    /// A favorite keeps its own if its joke is not cached, or if its source is not configured.
    private func completeFavorites(by rules: ShowingRules) throws {
        // Favorites that stay as they are need no memory.
        let changed = try prepare(
            """
            SELECT f.key, f.admitted, \(Favorite.qualifiedColumns), j.language, j.safety
            FROM favorites f LEFT JOIN (
                jokes j JOIN groups g ON g.key = j.joke_group
                JOIN sources s ON s.key = j.source AND s.position < \(Schema.unconfiguredPlace)
            ) ON j.id = f.id AND g.fingerprint = f.fingerprint
            """
        ).map { row -> (key: Int64, content: JokeContent, isAdmitted: Bool)? in
            let favorite = try Favorite(row: row, from: 2)
            var content = favorite.content
            content.language = try row.read(15, as: String?.self) ?? content.language
            content.safety = try row.read(16, as: Safety?.self) ?? content.safety
            let isAdmitted = rules.admits(content, from: String(favorite.id.source))
            let wasAdmitted: Bool = try row.read(1)
            return content == favorite.content && isAdmitted == wasAdmitted
                ? nil : (try row.read(0), content, isAdmitted)
        }.compactMap(\.self)
        for (key, content, isAdmitted) in changed {
            try prepare("UPDATE favorites SET language = ?, safety = ?, admitted = ? WHERE key = ?")
                .run(content.language, content.safety, isAdmitted, key)
        }
    }

    /// The groups of jokes that are favorites.
    private func groupsOfFavorites() throws -> [Int64] {
        try prepare(
            """
            SELECT g.key FROM favorites f CROSS JOIN groups g
                ON substr(g.fingerprint, 1, 6) = substr(f.fingerprint, 1, 6) AND g.fingerprint = f.fingerprint
            """
        ).map { row in try row.read(0) }
    }
}
