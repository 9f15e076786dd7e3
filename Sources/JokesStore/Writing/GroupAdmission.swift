import JokesCore
import SQLite

/// The rating of a group: the joke is as safe as its least safe rated duplicate.
private struct GroupRating {
    private var flags: JokeFlags = []
    private var isUnsafe = false

    init(of contents: [JokeContent]) {
        for content in contents {
            flags.formUnion(content.flags)
            isUnsafe = isUnsafe || content.safety == .unsafe
        }
    }

    /// Returns the content with the flags and the rating of its group.
    func applied(to content: JokeContent) -> JokeContent {
        var content = content
        content.flags.formUnion(flags)
        if isUnsafe { content.safety = .unsafe }
        return content
    }
}

/// A joke of a group, as far as its admission depends on it.
private struct Duplicate {
    let key: Int64
    let wasAdmitted: Bool
    let source: String
    let isRemoved: Bool
    let content: JokeContent
}

extension Connection {
    /// Marks which jokes of a group pass the filters, with the rating of the group, and the same of its favorite.
    ///
    /// O(k) in the jokes of the group.
    ///
    /// - Returns: Whether the favorite has come to pass or to fail the filters.
    func admitJokes(in group: Int64, by rules: ShowingRules) throws -> Bool {
        let duplicates = try duplicates(in: group)
        let rating = GroupRating(of: duplicates.map(\.content))
        for duplicate in duplicates {
            let isAdmitted =
                !duplicate.isRemoved && rules.admits(rating.applied(to: duplicate.content), from: duplicate.source)
            if isAdmitted == duplicate.wasAdmitted { continue }
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, duplicate.key)
        }
        return try admitFavorite(in: group, by: rules)
    }

    /// Marks whether the favorite of a group, if there is one, passes the filters with the rating of the group.
    ///
    /// - Returns: Whether that has changed.
    @discardableResult
    func admitFavorite(in group: Int64, by rules: ShowingRules) throws -> Bool {
        let favorite = try prepare(
            """
            SELECT f.key, f.admitted, f.id, \(Schema.contentColumns) FROM favorites f
            WHERE f.fingerprint = (SELECT fingerprint FROM groups WHERE key = ?)
            """
        ).first(group) { row in
            Duplicate(
                key: try row.read(0), wasAdmitted: try row.read(1),
                source: String(try row.read(2, as: JokeID.self).source),
                isRemoved: false, content: try JokeContent(row: row, from: 3))
        }
        guard let favorite else { return false }
        let rating = GroupRating(of: try duplicates(in: group).map(\.content))
        let isAdmitted = rules.admits(rating.applied(to: favorite.content), from: favorite.source)
        if isAdmitted == favorite.wasAdmitted { return false }
        try prepare("UPDATE favorites SET admitted = ? WHERE key = ?").run(isAdmitted, favorite.key)
        return true
    }

    private func duplicates(in group: Int64) throws -> [Duplicate] {
        try prepare(
            """
            SELECT j.key, j.admitted, s.name, s.position, \(Schema.contentColumns)
            FROM jokes j JOIN sources s ON s.key = j.source WHERE j.joke_group = ?
            """
        ).map(group) { row in
            Duplicate(
                key: try row.read(0), wasAdmitted: try row.read(1), source: try row.read(2),
                isRemoved: try row.read(3, as: Int.self) == Schema.removedPlace,
                content: try JokeContent(row: row, from: 4))
        }
    }
}
