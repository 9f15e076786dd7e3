import JokesCore
import SQLite

/// The columns of a joke or a favorite that decide whether it passes the filters.
private struct Duplicate {
    let key: Int64
    let wasAdmitted: Bool
    let source: String
    var isRemoved = false
    let content: JokeContent
}

/// The rating of a group: each joke is as safe as its least safe rated duplicate.
private struct GroupRating {
    private let flags: JokeFlags
    private let isUnsafe: Bool

    init(of duplicates: [Duplicate]) {
        flags = duplicates.reduce(into: []) { $0.formUnion($1.content.flags) }
        isUnsafe = duplicates.contains { $0.content.safety == .unsafe }
    }

    func admits(_ duplicate: Duplicate, by rules: DisplayRules) -> Bool {
        var content = duplicate.content
        content.flags.formUnion(flags)
        if isUnsafe { content.safety = .unsafe }
        return !duplicate.isRemoved && rules.admits(content, from: duplicate.source)
    }
}

extension Connection {
    /// Marks which jokes of a group, and whether its favorite, pass the filters with the rating of the group. O(k) in the
    /// jokes of the group.
    ///
    /// - Returns: Whether the mark of the favorite has changed.
    func updateAdmission(ofJokesIn group: Int64, by rules: DisplayRules) throws -> Bool {
        let duplicates = try duplicates(in: group)
        let rating = GroupRating(of: duplicates)
        for duplicate in duplicates {
            let isAdmitted = rating.admits(duplicate, by: rules)
            if isAdmitted == duplicate.wasAdmitted { continue }
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, duplicate.key)
        }
        return try updateAdmission(ofFavoriteIn: group, by: rules)
    }

    /// Marks whether the favorite of a group, if there is one, passes the filters with the rating of the group.
    ///
    /// - Returns: Whether the mark has changed.
    @discardableResult
    func updateAdmission(ofFavoriteIn group: Int64, by rules: DisplayRules) throws -> Bool {
        let favorite = try prepare(
            """
            SELECT f.key, f.admitted, f.id, \(Schema.contentColumns) FROM favorites f
            WHERE f.fingerprint = (SELECT fingerprint FROM groups WHERE key = ?)
            """
        ).first(group) { row in
            Duplicate(
                key: try row.read(0), wasAdmitted: try row.read(1),
                source: String(try row.read(2, as: JokeID.self).source), content: try JokeContent(row: row, from: 3))
        }
        guard let favorite else { return false }
        let isAdmitted = GroupRating(of: try duplicates(in: group)).admits(favorite, by: rules)
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
                isRemoved: try row.read(3, as: Int.self) == Schema.removedPosition,
                content: try JokeContent(row: row, from: 4))
        }
    }
}
