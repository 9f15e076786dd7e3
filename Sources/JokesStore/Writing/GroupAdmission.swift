import JokesCore
import SQLite

/// A joke of a group, with the columns that the filters need.
private struct GroupMember {
    let key: Int64
    let id: JokeID
    let wasAdmitted: Bool
    let source: String
    /// The index of the source in the configured order; see `Schema.removedOrderIndex`.
    let sourceIndex: Int
    let stated: StatedValues
    let content: JokeContent
}

/// The language and safety that a source has stated.
private struct StatedValues: Equatable {
    let language: String
    let safety: Safety

    init(row: borrowing Row, from first: Int) throws {
        (language, safety) = (try row.read(first), try row.read(first + 1))
    }
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
}

extension Connection {
    /// Updates `admitted` of the jokes of a group, with the rating of the group, and its favorite. O(k) in the jokes of the
    /// group.
    ///
    /// - Returns: True if the favorite has changed.
    func updateAdmission(in group: Int64, by rules: DisplayRules) throws -> Bool {
        let members = try members(in: group)
        let rating = try rating(of: group, members)
        var isShowable = false
        for member in members {
            let isAdmitted =
                member.sourceIndex != Schema.removedOrderIndex
                && rules.admits(rating.applied(to: member.content), from: member.source)
            isShowable = isShowable || isAdmitted
            if isAdmitted == member.wasAdmitted { continue }
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, member.key)
        }
        let fingerprint = try prepare("SELECT fingerprint FROM groups WHERE key = ?")
            .first(group) { row in try row.read(0, as: Fingerprint.self) }
        guard let fingerprint else { return false }
        return try updateFavorite(fingerprint, members, isAdmitted: isShowable, rating, by: rules)
    }

    /// Updates a favorite, and `admitted` of its duplicates.
    ///
    /// - Returns: True if the favorite has changed.
    @discardableResult
    func updateFavorite(_ fingerprint: Fingerprint, by rules: DisplayRules) throws -> Bool {
        if let group = try group(of: fingerprint) { return try updateAdmission(in: group, by: rules) }
        return try updateFavorite(fingerprint, [], isAdmitted: false, nil, by: rules)
    }

    /// Updates the language, the safety and `admitted` of a favorite, if there is one.
    ///
    /// If its joke is cached, the favorite has the language and safety of the joke. Otherwise, the defaults of its source
    /// complete what the source has stated. The favorite of a source that is not configured does not change. A favorite
    /// passes the filters if a joke with its text does, so no joke is starred in the list and missing among the favorites.
    private func updateFavorite(
        _ fingerprint: Fingerprint, _ members: [GroupMember], isAdmitted: Bool, _ rating: GroupRating?,
        by rules: DisplayRules
    ) throws -> Bool {
        let found = try prepare(
            """
            SELECT key, admitted, id, stated_language, stated_safety, \(Schema.contentColumns) FROM favorites
            WHERE fingerprint = ?
            """
        ).first(fingerprint) { row in
            (
                key: try row.read(0, as: Int64.self), wasAdmitted: try row.read(1, as: Bool.self),
                id: try row.read(2, as: JokeID.self), stated: try StatedValues(row: row, from: 3),
                content: try JokeContent(row: row, from: 5)
            )
        }
        guard let found else { return false }
        let source = String(found.id.source)
        let own = members.first { $0.id == found.id && $0.sourceIndex < Schema.unconfiguredOrderIndex }
        let stated = own?.stated ?? found.stated
        var content = found.content
        if let own {
            (content.language, content.safety) = (own.content.language, own.content.safety)
        } else if rules.sourceDefaults[source] != nil {
            (content.language, content.safety) = (stated.language, stated.safety)
            content = rules.completed(content, from: source)
        }
        let isAdmitted = isAdmitted || rules.admits(rating?.applied(to: content) ?? content, from: source)
        if (content, stated, isAdmitted) == (found.content, found.stated, found.wasAdmitted) { return false }
        try prepare(
            """
            UPDATE favorites SET (language, safety, stated_language, stated_safety, admitted) = (?, ?, ?, ?, ?)
            WHERE key = ?
            """
        ).run(content.language, content.safety, stated.language, stated.safety, isAdmitted, found.key)
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
            SELECT j.key, j.id, j.admitted, s.name, s.order_index, j.stated_language, j.stated_safety,
                \(Schema.contentColumns)
            FROM jokes j JOIN sources s ON s.key = j.source WHERE j.joke_group = ?
            """
        ).map(group) { row in
            GroupMember(
                key: try row.read(0), id: try row.read(1), wasAdmitted: try row.read(2), source: try row.read(3),
                sourceIndex: try row.read(4), stated: try StatedValues(row: row, from: 5),
                content: try JokeContent(row: row, from: 7))
        }
    }
}
