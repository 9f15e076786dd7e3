package import JokesCore
import SQLite

/// The random jokes that a reader has served and that are not recorded in the database yet.
///
/// A reader cannot write, and a call does not wait for a write. So `JokeReader` counts deliveries in memory, and
/// `JokeStore.record` adds them to the table `groups` later.
package struct Deliveries: Hashable, Sendable {
    /// The deliveries of one group.
    struct Count: Hashable, Sendable {
        var served = 0
        /// The last round that served the group.
        var round: Int64 = 0
    }

    /// The counts by the key of the group.
    private(set) var counts: [Int64: Count] = [:]
    /// The key of the group that was served last.
    private(set) var lastGroup: Int64?

    package var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ group: Int64, round: Int64) {
        counts[group, default: Count()].served += 1
        counts[group]?.round = round
        lastGroup = group
    }

    mutating func subtract(_ recorded: Deliveries) {
        for (group, count) in recorded.counts {
            let left = (counts[group]?.served ?? 0) - count.served
            if left > 0 { counts[group]?.served = left } else { counts[group] = nil }
        }
    }
}

extension JokeReader {
    /// Returns a random joke, and counts it as served in `unrecorded`.
    ///
    /// Jokes are served in rounds, each joke once in a round (docs/decisions/0014). First, a source with jokes left in
    /// the round is picked at random, so that large sources are not preferred.
    ///
    /// O(log n) for each source. Also reads the jokes that the selection excludes and that precede the first match in
    /// random order: 100,000 in a few milliseconds.
    ///
    /// - Returns: The joke; nil if the selection has none.
    package func random(_ selection: JokeSelection = JokeSelection()) throws(StoreError) -> Joke? {
        let found: (next: Candidate, round: Int64, joke: Joke)? = try reading("pick a joke") {
            guard let (next, round) = try nextCandidate(selection) else { return nil }
            return try shownJoke(of: next.group).map { (next, round, $0) }
        }
        guard let (next, round, joke) = found else { return nil }
        unrecorded.add(next.group, round: round)
        lastServedJoke = (next.group, joke.id)
        return joke
    }

    /// Returns the joke of the day that the store has recorded for a date. The joke becomes the last served joke.
    ///
    /// Returns nil if no joke is recorded, or if the joke is no longer shown.
    package func jokeOfTheDay(_ date: CivilDate) throws(StoreError) -> Joke? {
        let found: (group: Int64, joke: Joke)? = try reading("look up the joke of the day") {
            guard let words = try connection.setting(.jokeOfTheDay)?.split(separator: " "), words.count == 2,
                words[0] == "\(date)", let fingerprint = Fingerprint(hex: String(words[1])),
                let group = try connection.group(of: fingerprint)
            else { return nil }
            return try shownJoke(of: group).map { (group, $0) }
        }
        guard let found else { return nil }
        lastServedJoke = (found.group, found.joke.id)
        return found.joke
    }

    private func shownJoke(of group: Int64) throws -> Joke? {
        try connection.prepare("SELECT \(Joke.columns) FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?")
            .first(group) { row in try Joke(row: row) }
    }

    /// Returns the IDs of the served jokes that are still shown. O(log n) for each
    package func jokes(in deliveries: Deliveries) throws(StoreError) -> Set<JokeID> {
        try reading("look up the served jokes") {
            let joke = try connection.prepare(
                "SELECT j.id FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?")
            return Set(try deliveries.counts.keys.compactMap { try joke.first($0) { row in try row.read(0) } })
        }
    }

    /// Removes deliveries from `unrecorded` that the store has recorded.
    package func discardRecorded(_ deliveries: Deliveries) { unrecorded.subtract(deliveries) }

    /// Returns the ID of the joke that this process or an earlier process served last; nil if there is none.
    package func lastServed() throws(StoreError) -> JokeID? {
        try reading("look up the last served joke") { try lastDelivery()?.id }
    }

    /// Returns the group and ID of the last served joke. O(groups) until there is one, then cached.
    private func lastDelivery() throws -> (group: Int64, id: JokeID)? {
        if let lastServedJoke { return lastServedJoke }
        // If the joke was hidden since, its group shows none, and the first joke of the group is returned.
        lastServedJoke = try connection.prepare(
            """
            SELECT g.key, j.id FROM groups g
            JOIN jokes j ON j.key = ifnull(g.shown, (SELECT min(key) FROM jokes WHERE joke_group = g.key))
            WHERE g.served_at IS NOT NULL ORDER BY g.served_at DESC LIMIT 1
            """
        ).first { row in (group: try row.read(0), id: try row.read(1)) }
        return lastServedJoke
    }

    /// A group that can be served next. The smallest candidate is served.
    private struct Candidate: Comparable {
        let group: Int64
        /// The last round that served the group.
        let round: Int64
        let wasServedLast: Bool

        static func < (a: Candidate, b: Candidate) -> Bool {
            (a.round, a.wasServedLast ? 1 : 0) < (b.round, b.wasServedLast ? 1 : 0)
        }
    }

    /// Returns the group to serve, and the round in which it is served; nil if the selection has none.
    private func nextCandidate(_ selection: JokeSelection) throws -> (Candidate, round: Int64)? {
        let last = try lastDelivery()?.group
        var currentRound = unrecorded.counts.values.map(\.round).max() ?? 0
        let sources = try connection.prepare("SELECT key FROM sources").map { row in try row.read(0, as: Int64.self) }
        let best = try sources.shuffled(using: &randomness).compactMap { source -> Candidate? in
            let round = try connection.prepare("SELECT ifnull(max(round), 0) FROM groups WHERE source = ?")
                .first(source) { row in try row.read(0, as: Int64.self) }
            currentRound = max(currentRound, round ?? 0)
            return try nextCandidate(of: source, selection, last: last)
        }.min()
        return best.map {
            ($0, round: $0.round < currentRound || currentRound == .max ? currentRound : currentRound + 1)
        }
    }

    /// Returns the smallest candidate of a source.
    private func nextCandidate(of source: Int64, _ selection: JokeSelection, last: Int64?) throws -> Candidate? {
        var best: Candidate?
        _ = try connection.first(
            """
            SELECT g.key, g.round FROM groups g INDEXED BY groups_in_random_order
            WHERE g.source = \(source) \(selection.conditions) ORDER BY g.round, g.shuffle
            """
        ) { row -> Void? in
            let (group, round): (Int64, Int64) = (try row.read(0), try row.read(1))
            if selection.isUnseen && unrecorded.counts[group] != nil { return nil }
            // Stops, because the rows ascend by round: no later row is a smaller candidate.
            if let best, best.round < round || best.round == round && !best.wasServedLast { return () }
            let candidate = Candidate(
                group: group, round: unrecorded.counts[group]?.round ?? round, wasServedLast: group == last)
            if best.map({ candidate < $0 }) ?? true { best = candidate }
            return nil
        }
        return best
    }
}
