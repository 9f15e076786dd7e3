import JokesCore
import SQLite
import Unix

/// A group with its jokes, as a transaction has left them.
struct GroupState {
    /// A source, with its place in the configured order; see `Schema.removedOrderIndex`.
    typealias Source = (key: Int64, name: String, order: Int)

    struct Member {
        let key: Int64
        let id: JokeID
        let source: Source
        let isAdmitted: Bool
        /// Without the URL, the author and the date.
        let content: JokeContent
        /// The content with the language and safety that the source states.
        let stated: JokeContent
    }

    let key: Int64
    let shown: Int64?
    let isEmptied: Bool
    /// The ratings that sources have stated.
    let rating: GroupRating
    let isHidden: Bool
    /// The fingerprint of the favorite with this text; nil if there is none.
    let favorite: Fingerprint?
    var members: [Member] = []

    /// Returns why a joke of the group is not shown; nil if it is shown. See `Joke.notShown`.
    func exclusion(of member: Member, by rules: DisplayRules) -> String? {
        if member.key == shown { return nil }
        if isHidden { return "hidden; jokesctl unhide \(shellWord(member.id.rawValue))" }
        if let other = members.first(where: { $0.key == shown }) { return "the same text as \(other.id.rawValue)" }
        if member.source.order == Schema.removedOrderIndex {
            return "source '\(member.source.name)' is no longer configured; jokesctl source add"
        }
        var rating = rating
        for member in members { rating.add(rules.completed(member.stated, from: member.source.name)) }
        return rules.exclusion(of: rating.applied(to: member.stated), from: member.source.name)
    }

    /// The joke that the group shows, if no text has changed.
    var shownJoke: ShownJoke? {
        members.first { $0.key == shown }.map { ShownJoke(joke: $0.key, source: $0.source.key, $0.content) }
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

    /// Adds the rating to the content that a source states.
    func applied(to stated: JokeContent) -> JokeContent {
        var content = stated
        content.flags.formUnion(flags)
        if isUnsafe { content.safety = .unsafe }
        return content
    }
}

extension JokeContent {
    /// Returns the content with the language and safety that its source has stated, which begin at column `first` of the row.
    func stated(by row: borrowing Row, from first: Int) throws -> JokeContent {
        var stated = self
        (stated.language, stated.safety) = (try row.read(first), try row.read(first + 1))
        return stated
    }
}

extension Connection {
    /// Returns the sources by their keys.
    func groupSources() throws -> [Int64: GroupState.Source] {
        let sources = try prepare("SELECT key, name, order_index FROM sources").map { row in
            GroupState.Source(key: try row.read(0), name: try row.read(1), order: try row.read(2))
        }
        return Dictionary(uniqueKeysWithValues: sources.map { ($0.key, $0) })
    }

    /// Reads the groups with these keys in order.
    func groupStates(_ keys: ClosedRange<Int64>, _ sources: [Int64: GroupState.Source]) throws -> [GroupState] {
        var states: [GroupState] = []
        _ = try prepare(
            """
            SELECT g.key, g.shown, g.emptied_at IS NOT NULL, g.flags, g.is_unsafe,
                EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint),
                (SELECT f.fingerprint FROM favorites f WHERE f.fingerprint = g.fingerprint),
                j.key, j.id, j.source, j.admitted, j.stated_language, j.stated_safety,
                j.setup, j.punchline, j.language, j.categories, j.flags, j.safety
            FROM groups g LEFT JOIN jokes j ON j.joke_group = g.key WHERE g.key BETWEEN ? AND ? ORDER BY g.key
            """
        ).map(keys.lowerBound, keys.upperBound) { row in
            let key = try row.read(0, as: Int64.self)
            if states.last?.key != key {
                states.append(
                    GroupState(
                        key: key, shown: try row.read(1), isEmptied: try row.read(2),
                        rating: try GroupRating(row: row, from: 3), isHidden: try row.read(5), favorite: try row.read(6)
                    ))
            }
            guard let joke = try row.read(7, as: Int64?.self) else { return }
            let sourceKey = try row.read(9, as: Int64.self)
            guard let source = sources[sourceKey] else {
                preconditionFailure("no source has the key \(sourceKey)")
            }
            let content = JokeContent(
                text: JokeText(setup: try row.read(13), punchline: try row.read(14)), language: try row.read(15),
                categories: try row.read(16, as: CategoryList.self).names, flags: try row.read(17),
                safety: try row.read(18))
            states[states.count - 1].members.append(
                GroupState.Member(
                    key: joke, id: try row.read(8), source: source, isAdmitted: try row.read(10), content: content,
                    stated: try content.stated(by: row, from: 11)))
        }
        return states
    }

    /// Adds a stated rating to a group. Returns false if there is none.
    @discardableResult
    func rate(_ group: Int64, as stated: JokeContent) throws -> Bool {
        if stated.flags.isEmpty && stated.safety != .unsafe { return false }
        try prepare("UPDATE groups SET flags = flags | ?, is_unsafe = is_unsafe OR ? WHERE key = ?")
            .run(stated.flags, stated.safety == .unsafe, group)
        return true
    }

    func isHidden(_ fingerprint: Fingerprint) throws -> Bool {
        try prepare("SELECT 1 FROM hidden WHERE fingerprint = ?").first(fingerprint) { _ in true } ?? false
    }
}
