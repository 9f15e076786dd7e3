package import JokesCore
import SQLite

/// Random jokes are served in rounds, each joke once in a round (docs/decisions/0014).
extension JokeStore {
    /// Returns a random joke, and records that it was served; nil if the selection has none.
    ///
    /// First, a source with jokes left in the round is picked at random, so that large sources are not preferred.
    ///
    /// O(log n) for each source. Also reads the jokes that the selection excludes and that precede the first match in
    /// random order: 100,000 in a few milliseconds. Nothing is synced to the disk: a power loss may undo the record.
    package func random(
        _ selection: JokeSelection = JokeSelection(), at now: Timestamp
    ) throws(StoreError) -> Joke? {
        try writing("record the served joke") { try connection.serve(selection, at: now, using: &randomness) }
    }

    /// Returns the joke of a day, and records it as the last served joke. The first call of a day picks the joke, as `random`
    /// does, and so does the first call after it was hidden or removed.
    package func jokeOfTheDay(_ date: CivilDate, at now: Timestamp) throws(StoreError) -> Joke? {
        try writing("record the joke of the day") {
            if let joke = try connection.jokeOfTheDay(date) {
                // A status bar asks every minute, and must not write each time.
                if try connection.setting(.lastServed) != joke.id.rawValue {
                    try connection.set(.lastServed, to: joke.id.rawValue)
                }
                return joke
            }
            guard let joke = try connection.serve(JokeSelection(), at: now, using: &randomness) else { return nil }
            let fingerprint = Fingerprint(of: joke.content.text)
            try connection.set(.jokeOfTheDay, to: "\(date) \(fingerprint.hex)")
            return joke
        }
    }
}

extension JokeReader {
    /// Returns any joke of a selection, all with the same probability, for a store that cannot record it; nil if the
    /// selection has none. O(n)
    package func anyJoke(_ selection: JokeSelection = JokeSelection()) throws(StoreError) -> Joke? {
        try reading("pick a joke") {
            let group = try connection.first(
                """
                SELECT g.key FROM groups g WHERE g.shown IS NOT NULL \(selection.conditions) ORDER BY random() LIMIT 1
                """
            ) { row in try row.read(0, as: Int64.self) }
            return try group.flatMap { try connection.shownJoke(of: $0) }
        }
    }

    /// Returns the joke of the day that the store has recorded for a date; nil if there is none, or if it is no longer shown.
    package func jokeOfTheDay(_ date: CivilDate) throws(StoreError) -> Joke? {
        try reading("look up the joke of the day") { try connection.jokeOfTheDay(date) }
    }

    /// Returns the ID of the joke that was served last, also by an earlier process; nil if there is none.
    package func lastServed() throws(StoreError) -> JokeID? {
        try reading("look up the last served joke") {
            try connection.setting(.lastServed).map { JokeID(rawValue: $0) }
        }
    }
}

extension Connection {
    fileprivate func shownJoke(of group: Int64) throws -> Joke? {
        try prepare("SELECT \(Joke.columns) FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?")
            .first(group) { row in try Joke(row: row) }
    }

    fileprivate func jokeOfTheDay(_ date: CivilDate) throws -> Joke? {
        guard let words = try setting(.jokeOfTheDay)?.split(separator: " "), words.count == 2, words[0] == "\(date)",
            let fingerprint = Fingerprint(hex: String(words[1])), let group = try group(of: fingerprint)
        else { return nil }
        return try shownJoke(of: group)
    }

    /// The highest round that has served a joke, at least 1.
    func currentRound() throws -> Int64 {
        try prepare(
            "SELECT max(1, ifnull(max((SELECT max(round) FROM groups WHERE source = s.key)), 0)) FROM sources s"
        )
        .first { row in try row.read(0, as: Int64.self) } ?? 1
    }

    /// Picks the next joke, and records it, within a transaction.
    fileprivate func serve(
        _ selection: JokeSelection, at now: Timestamp, using randomness: inout some RandomNumberGenerator
    ) throws -> Joke? {
        guard let (group, round) = try nextCandidate(selection, using: &randomness),
            let joke = try shownJoke(of: group)
        else { return nil }
        try prepare(
            "UPDATE groups SET serve_count = serve_count + 1, served_at = ?, round = ?, shuffle = ? WHERE key = ?"
        ).run(now, round, randomPosition(of: group, using: &randomness), group)
        try set(.lastServed, to: joke.id.rawValue)
        return joke
    }

    /// A group that can be served next, and the last round that served it; 1 for the group that was served last, so that it
    /// comes after others of its round.
    private typealias Candidate = (group: Int64, round: Int64, wasServedLast: Int)

    /// Returns the group to serve, and the round in which it is served; nil if the selection has none.
    private func nextCandidate(
        _ selection: JokeSelection, using randomness: inout some RandomNumberGenerator
    ) throws -> (group: Int64, round: Int64)? {
        let last = try setting(.lastServed).flatMap { id in
            try prepare("SELECT joke_group FROM jokes WHERE id = ?").first(id) { row in try row.read(0, as: Int64.self)
            }
        }
        var currentRound: Int64 = 0
        let sources = try prepare("SELECT key, name FROM sources").map { row in
            (key: try row.read(0, as: Int64.self), name: try row.read(1, as: String.self))
        }
        let candidates = try sources.shuffled(using: &randomness).flatMap { source, name -> [Candidate] in
            let round = try prepare("SELECT ifnull(max(round), 0) FROM groups WHERE source = ?")
                .first(source) { row in try row.read(0, as: Int64.self) }
            currentRound = max(currentRound, round ?? 0)
            if selection.source?.selects({ $0 == name }) == false { return [] }
            // The last served joke has the highest round, so only the first two rows count.
            return try map(
                """
                SELECT g.key, g.round FROM groups g INDEXED BY groups_in_random_order
                WHERE g.source = \(source) \(selection.conditions) ORDER BY g.round, g.shuffle LIMIT 2
                """
            ) { row in
                let group = try row.read(0, as: Int64.self)
                return (group: group, round: try row.read(1), wasServedLast: group == last ? 1 : 0)
            }
        }
        let best = candidates.min { ($0.round, $0.wasServedLast) < ($1.round, $1.wasServedLast) }
        return best.map {
            (group: $0.group, round: $0.round < currentRound || currentRound == .max ? currentRound : currentRound + 1)
        }
    }
}
