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

/// The rating of a group: the flags of all its jokes, and unsafe if one of them is unsafe. Ratings that sources have stated
/// stay when their jokes are changed or removed.
struct GroupRating {
    private var flags: JokeFlags
    private var isUnsafe: Bool

    /// Reads the stated ratings: the columns `flags` and `is_unsafe` of a group.
    init(row: borrowing Row, from first: Int) throws {
        (flags, isUnsafe) = (try row.read(first), try row.read(first + 1))
    }

    /// Adds the rating of a joke, with the defaults of its source.
    mutating func add(_ content: JokeContent) {
        flags.formUnion(content.flags)
        isUnsafe = isUnsafe || content.safety == .unsafe
    }

    func applied(to content: JokeContent) -> JokeContent {
        var content = content
        content.flags.formUnion(flags)
        if isUnsafe { content.safety = .unsafe }
        return content
    }

    /// Returns true if a member of the group passes the filters with the rating of the group.
    fileprivate func admits(_ member: GroupMember, by rules: DisplayRules) -> Bool {
        !member.isSourceRemoved && rules.admits(applied(to: member.content), from: member.source)
    }
}

extension Connection {
    /// Updates `admitted` of the jokes and the favorite of a group, with the rating of the group. O(k) in the jokes of
    /// the group.
    ///
    /// - Returns: True if `admitted` of the favorite has changed.
    func updateAdmission(in group: Int64, by rules: DisplayRules) throws -> Bool {
        let members = try members(in: group)
        let rating = try rating(of: group, members)
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
        let isAdmitted = try rating(of: group, members(in: group)).admits(favorite, by: rules)
        if isAdmitted == favorite.wasAdmitted { return false }
        try prepare("UPDATE favorites SET admitted = ? WHERE key = ?").run(isAdmitted, favorite.key)
        return true
    }

    /// Adds a stated rating to a group.
    func rate(_ group: Int64, as stated: JokeContent) throws {
        if stated.flags.isEmpty && stated.safety != .unsafe { return }
        try prepare("UPDATE groups SET flags = flags | ?, is_unsafe = is_unsafe OR ? WHERE key = ?")
            .run(stated.flags, stated.safety == .unsafe, group)
    }

    private func rating(of group: Int64, _ members: [GroupMember]) throws -> GroupRating {
        let stated = try prepare("SELECT flags, is_unsafe FROM groups WHERE key = ?")
            .first(group) { row in try GroupRating(row: row, from: 0) }
        guard var rating = stated else { preconditionFailure("group \(group) does not exist") }
        for member in members { rating.add(member.content) }
        return rating
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
