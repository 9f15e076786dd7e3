import JokesCore
import SQLite

/// Decides what groups show, at the end of a transaction.
///
/// Code that changes the jokes, the favorite or the hidden mark of a text touches its group first. `settle` must be the last
/// call of the transaction. It updates `admitted` of jokes and favorites, the joke that each group shows, the full-text index, the
/// categories, the counts of the sources, and the order of random jokes.
struct TouchedGroups {
    private let connection: Connection
    private let rules: DisplayRules
    private let now: Timestamp
    private let groupInsertion: Statement
    private let hasHiddenMarks: Bool
    /// The jokes that the touched groups showed, by the key of the group.
    private var shown: [Int64: ShownJoke?] = [:]
    /// The fingerprints of touched texts that have no group.
    private var withoutGroup: Set<Fingerprint> = []
    private var index: ShownJokeIndex
    /// True if a favorite has changed, or if it passes the filters now and did not before, or the reverse.
    private(set) var hasChangedFavorites = false

    /// The number of groups that are settled together. Their texts are in memory.
    private static let maxCount = 2_000

    init(_ connection: Connection, _ rules: DisplayRules, at now: Timestamp) throws {
        (self.connection, self.rules, self.now) = (connection, rules, now)
        index = try ShownJokeIndex(connection)
        groupInsertion = try connection.prepare(
            """
            INSERT INTO groups (key, fingerprint, shuffle, shown, source, length, language, flags, is_unsafe)
            VALUES (?, ?, ?, ?, ?, ?, lower(?), ?, ?)
            """)
        hasHiddenMarks = try connection.hasRow("SELECT 1 FROM hidden LIMIT 1")
    }

    // MARK: Touching

    /// Records what a group shows before a change. Settles the groups that were touched earlier if there are many.
    mutating func touch(_ group: Int64) throws {
        if shown.keys.contains(group) { return }
        if shown.count >= Self.maxCount { try settle() }
        shown.updateValue(try ShownJoke(of: group, connection), forKey: group)
    }

    /// Touches the group of a text; if there is none, the favorite alone.
    mutating func touch(_ fingerprint: Fingerprint) throws {
        if let group = try connection.group(of: fingerprint) {
            try touch(group)
        } else {
            withoutGroup.insert(fingerprint)
        }
    }

    /// Inserts the group of a new text, which shows its joke if the joke is admitted and the text is not hidden.
    ///
    /// The caller must insert the joke in the same transaction, with a larger key than all jokes that the transaction has inserted
    /// before. The group is not touched, because a batch of new jokes would take much longer.
    mutating func insertGroup(
        _ key: Int64, of joke: NormalizedJoke, showing shown: ShownJoke?,
        using randomness: inout some RandomNumberGenerator
    ) throws {
        let shown = try hasHiddenMarks && connection.isHidden(joke.fingerprint) ? nil : shown
        try groupInsertion.run(
            key, joke.fingerprint, randomPosition(of: key, using: &randomness), shown?.joke, shown?.source,
            shown?.text.length, shown?.language, joke.content.flags, joke.content.safety == .unsafe)
        if let shown { try index.insert(shown) }
    }

    // MARK: Settling

    /// Settles the touched groups. O(log n) in all jokes for each group, and O(k) in its jokes.
    mutating func settle() throws {
        let sources = try connection.groupSources()
        for (group, before) in shown.sorted(by: { $0.key < $1.key }) {
            for state in try connection.groupStates(group...group, sources) { try settle(state, before: before) }
        }
        for fingerprint in withoutGroup { try updateFavorite(fingerprint, of: nil, isAdmitted: false) }
        (shown, withoutGroup) = ([:], [])
        try index.flush()
    }

    /// Settles all groups and all favorites, after a change of the rules. No text may have changed.
    mutating func settleAll() throws {
        let sources = try connection.groupSources()
        let last = Int64(try connection.number("SELECT ifnull(max(key), 0) FROM groups"))
        for first in stride(from: 1, through: last, by: Self.maxCount) {
            for state in try connection.groupStates(first...(first + Int64(Self.maxCount) - 1), sources) {
                try settle(state, before: state.shownJoke)
            }
            try index.flushIfLarge()
        }
        let favorites = try connection.prepare("SELECT fingerprint FROM favorites")
            .map { row in try row.read(0, as: Fingerprint.self) }
        for favorite in favorites where try connection.group(of: favorite) == nil { withoutGroup.insert(favorite) }
        try settle()
    }

    /// Updates the jokes and the favorite of a group, and selects the joke that the group shows: the oldest joke of the first
    /// source in the configured order, among the jokes that pass the filters; none if the text is hidden.
    private mutating func settle(_ group: GroupState, before: ShownJoke?) throws {
        var rating = group.rating
        let contents = group.members.map { rules.completed($0.stated, from: $0.source.name) }
        for content in contents { rating.add(content) }
        var first: (order: Int, joke: ShownJoke)?
        for (member, content) in zip(group.members, contents) {
            let isAdmitted =
                member.source.order != Schema.removedOrderIndex
                && rules.admits(rating.applied(to: member.stated), from: member.source.name)
            if isAdmitted != member.isAdmitted || content != member.content {
                try connection.prepare("UPDATE jokes SET (language, safety, admitted) = (?, ?, ?) WHERE key = ?")
                    .run(content.language, content.safety, isAdmitted, member.key)
            }
            let place = (member.source.order, member.key)
            if isAdmitted, first.map({ place < ($0.order, $0.joke.joke) }) ?? true {
                first = (member.source.order, ShownJoke(joke: member.key, source: member.source.key, content))
            }
        }
        if let favorite = group.favorite {
            try updateFavorite(favorite, of: (group.members, contents, rating), isAdmitted: first != nil)
        }
        if group.members.isEmpty != group.isEmptied {
            try connection.prepare("UPDATE groups SET emptied_at = ? WHERE key = ?")
                .run(group.members.isEmpty ? now : nil, group.key)
        }
        let after = group.isHidden ? nil : first?.joke
        if after == before { return }
        if let before { try index.remove(before) }
        if let after { try index.add(after) }
        try connection.prepare(
            "UPDATE groups SET (shown, source, length, language) = (?, ?, ?, lower(?)) WHERE key = ?"
        )
        .run(after?.joke, after?.source, after?.text.length, after?.language, group.key)
    }

    /// Updates the language, the rating and `admitted` of a favorite, if there is one.
    ///
    /// If its joke is cached, the favorite has the language and rating of the joke. Otherwise, the defaults of its source
    /// complete what the source has stated. The favorite of a source that is not configured does not change. A favorite
    /// passes the filters if a joke with its text does (`isAdmitted`), so no joke is starred in the list and missing among the
    /// favorites.
    private mutating func updateFavorite(
        _ fingerprint: Fingerprint,
        of group: (members: [GroupState.Member], contents: [JokeContent], rating: GroupRating)?, isAdmitted: Bool
    ) throws {
        let found = try connection.prepare(
            """
            SELECT key, admitted, id, stated_language, stated_safety, \(Schema.contentColumns) FROM favorites
            WHERE fingerprint = ?
            """
        ).first(fingerprint) { row in
            let content = try JokeContent(row: row, from: 5)
            return (
                key: try row.read(0, as: Int64.self), wasAdmitted: try row.read(1, as: Bool.self),
                id: try row.read(2, as: JokeID.self), stated: try content.stated(by: row, from: 3), content: content
            )
        }
        guard let found else { return }
        let source = String(found.id.source)
        let own = group?.members.firstIndex { $0.id == found.id && $0.source.order < Schema.unconfiguredOrderIndex }
        var (stated, content) = (found.stated, found.content)
        if let group, let own {
            stated = group.members[own].stated
            let joke = group.contents[own]
            (content.language, content.safety, content.flags) = (joke.language, joke.safety, joke.flags)
        } else if rules.sourceDefaults[source] != nil {
            content = rules.completed(stated, from: source)
        }
        let isAdmitted = isAdmitted || rules.admits(group?.rating.applied(to: content) ?? content, from: source)
        let hasSameStatement = (stated.language, stated.safety) == (found.stated.language, found.stated.safety)
        if hasSameStatement && content == found.content && isAdmitted == found.wasAdmitted { return }
        hasChangedFavorites = true
        try connection.prepare(
            """
            UPDATE favorites SET (language, safety, flags, stated_language, stated_safety, admitted) = (?, ?, ?, ?, ?, ?)
            WHERE key = ?
            """
        ).run(
            content.language, content.safety, content.flags, stated.language, stated.safety, isAdmitted, found.key)
    }
}

/// Returns a random position of a group within a round.
///
/// The highest of 32 bits is fixed for a group, which is thus in the same half of all rounds. No joke from the end
/// of a round is at the beginning of the next round. The bit is the parity of the number of 1 bits in the key. For
/// ascending keys, these bits are the Thue–Morse sequence, which is balanced and aperiodic.
func randomPosition(of group: Int64, using randomness: inout some RandomNumberGenerator) -> Int64 {
    Int64(group.nonzeroBitCount & 1) << 31 | Int64.random(in: 0..<1 << 31, using: &randomness)
}
