import JokesCore
import SQLite

/// A joke or a favorite of a group, with the columns that the filters need.
private struct GroupMember {
    let key: Int64
    let wasAdmitted: Bool
    let source: String
    /// True if the source is no longer configured.
    var isSourceRemoved = false
    let content: JokeContent
}

/// The rating of a group: the flags of all its jokes, and unsafe if one of the jokes is unsafe.
private struct GroupRating {
    private let flags: JokeFlags
    private let isUnsafe: Bool

    init(of members: [GroupMember]) {
        flags = members.reduce(into: []) { $0.formUnion($1.content.flags) }
        isUnsafe = members.contains { $0.content.safety == .unsafe }
    }

    /// Returns true if a member of the group passes the filters with the rating of the group.
    func admits(_ member: GroupMember, by rules: DisplayRules) -> Bool {
        var content = member.content
        content.flags.formUnion(flags)
        if isUnsafe { content.safety = .unsafe }
        return !member.isSourceRemoved && rules.admits(content, from: member.source)
    }
}

extension Connection {
    /// Updates `admitted` of the jokes and the favorite of a group, with the rating of the group. O(k) in the jokes of
    /// the group.
    ///
    /// - Returns: True if `admitted` of the favorite has changed.
    func updateAdmission(in group: Int64, by rules: DisplayRules) throws -> Bool {
        let members = try members(in: group)
        let rating = GroupRating(of: members)
        for member in members {
            let isAdmitted = rating.admits(member, by: rules)
            if isAdmitted == member.wasAdmitted { continue }
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, member.key)
        }
        return try updateAdmission(ofFavoriteIn: group, by: rules)
    }

    /// Updates `admitted` of the favorite of a group, if there is one, with the rating of the group.
    ///
    /// - Returns: True if `admitted` has changed.
    @discardableResult
    func updateAdmission(ofFavoriteIn group: Int64, by rules: DisplayRules) throws -> Bool {
        let favorite = try prepare(
            """
            SELECT f.key, f.admitted, f.id, \(Schema.contentColumns) FROM favorites f
            WHERE f.fingerprint = (SELECT fingerprint FROM groups WHERE key = ?)
            """
        ).first(group) { row in
            GroupMember(
                key: try row.read(0), wasAdmitted: try row.read(1),
                source: String(try row.read(2, as: JokeID.self).source), content: try JokeContent(row: row, from: 3))
        }
        guard let favorite else { return false }
        let isAdmitted = GroupRating(of: try members(in: group)).admits(favorite, by: rules)
        if isAdmitted == favorite.wasAdmitted { return false }
        try prepare("UPDATE favorites SET admitted = ? WHERE key = ?").run(isAdmitted, favorite.key)
        return true
    }

    private func members(in group: Int64) throws -> [GroupMember] {
        try prepare(
            """
            SELECT j.key, j.admitted, s.name, s.order_index, \(Schema.contentColumns)
            FROM jokes j JOIN sources s ON s.key = j.source WHERE j.joke_group = ?
            """
        ).map(group) { row in
            GroupMember(
                key: try row.read(0), wasAdmitted: try row.read(1), source: try row.read(2),
                isSourceRemoved: try row.read(3, as: Int.self) == Schema.removedOrderIndex,
                content: try JokeContent(row: row, from: 4))
        }
    }
}
