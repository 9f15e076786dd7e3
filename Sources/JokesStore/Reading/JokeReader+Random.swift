package import JokesCore
import SQLite

extension JokeReader {
    /// A joke out of those that were told least often, first of all never; nil where the selection leaves none.
    ///
    /// A source is drawn first, so that a large one does not drown the others, and within it by chance; of jokes told as
    /// often, those that were told last come behind the others. The joke counts as told at once for this reader;
    /// `JokeStore.record` makes that last.
    ///
    /// O(log n) for each source and language that the selection has jokes of, times the different numbers of times that
    /// its jokes were told where it asks for short ones; plus what is unrecorded (docs/decisions/0014).
    package func random(_ selection: JokeSelection = JokeSelection()) throws(StoreError) -> Joke? {
        let drawn: (group: Int64, joke: Joke)? = try reading("pick a joke") {
            guard let least = try leastTold(selection) else { return nil }
            let joke = try connection.prepare(
                "SELECT \(Joke.columns) FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?"
            ).first(least.group) { row in try Joke(row: row) }
            return joke.map { (least.group, $0) }
        }
        guard let drawn else { return nil }
        unrecorded.add(drawn.group)
        recent?.add(drawn.group, drawn.joke)
        return drawn.joke
    }

    /// Takes what the store has recorded from what is unrecorded.
    ///
    /// Between the one and the other such a joke counts twice, which only puts it off.
    package func forget(_ recorded: Tellings) {
        unrecorded.subtract(recorded)
    }

    /// The joke that was told last, in this run or in an earlier one; nil where none was.
    package func lastTold() throws(StoreError) -> JokeID? {
        try reading("look up the last served joke") { try recentTellings().last }
    }

    /// What was told last; at first as far as it is on record. O(groups) then.
    private func recentTellings() throws -> RecentTellings {
        if let recent { return recent }
        var tellings = RecentTellings()
        // A hidden joke is shown by none, and still is one that was told.
        let recorded = try connection.prepare(
            """
            SELECT \(Joke.columns), g.key FROM groups g
            JOIN jokes j ON j.key = ifnull(g.shown, (SELECT min(key) FROM jokes WHERE joke_group = g.key))
            WHERE g.served_at IS NOT NULL ORDER BY g.served_at DESC LIMIT ?
            """
        ).map(RecentTellings.limit) { row in
            (joke: try Joke(row: row), group: try row.read(Joke.columnCount, as: Int64.self))
        }
        for telling in recorded.reversed() { tellings.add(telling.group, telling.joke) }
        recent = tellings
        return tellings
    }

    /// A group that may be drawn: the less of two comes first.
    private struct Candidate: Comparable {
        let group: Int64
        /// How often it was told.
        let told: Int
        /// Its rank among what was told last.
        let recency: Int

        static func < (a: Candidate, b: Candidate) -> Bool {
            (a.told, a.recency) < (b.told, b.recency)
        }
    }

    private func leastTold(_ selection: JokeSelection) throws -> Candidate? {
        var pools = try self.pools(of: selection)
        pools.putOff = try recentTellings().putOff(selection)
        var best: Candidate?
        for source in pools.sources.shuffled(using: &randomness) {
            guard let candidate = try leastTold(of: source, pools) else { continue }
            if candidate.told == 0 { return candidate }
            if best.map({ candidate < $0 }) ?? true { best = candidate }
        }
        return best
    }

    private func pools(of selection: JokeSelection) throws -> DrawPools {
        let version = try connection.prepare("PRAGMA data_version").first { row in try row.read(0, as: Int.self) }
        if let drawPools, drawPools.version == version, drawPools.selection == selection { return drawPools }
        let pools = try connection.prepare("SELECT key, source, jokes FROM random_buckets WHERE \(DrawPools.condition)")
            .map(selection.source, selection.category, selection.language) { row in
                // A stored count may be wrong: the sum of any counts in these bounds can be drawn from.
                let jokes = try min(max(1, row.read(2, as: Int.self)), Int(UInt32.max))
                return DrawPools.Pool(key: try row.read(0), source: try row.read(1), jokes: jokes)
            }
        let lastGroup = try connection.prepare("SELECT max(key) FROM groups").first { row in
            try row.read(0, as: Int64?.self)
        }
        let drawn = DrawPools(pools, of: selection, version: version, lastGroup: max(1, (lastGroup ?? nil) ?? 1))
        drawPools = drawn
        return drawn
    }

    /// Of languages whose jokes were told as often, one by chance: the more it has, the more often.
    private func leastTold(of source: [DrawPools.Pool], _ pools: DrawPools) throws -> Candidate? {
        var best: Candidate?
        var jokes = 0
        for pool in source {
            guard let candidate = try leastTold(of: pool, pools) else { continue }
            if let best, best < candidate { continue }
            if best.map({ candidate < $0 }) ?? true { jokes = 0 }
            jokes += pool.jokes
            if Int.random(in: 0..<jokes, using: &randomness) < pool.jokes { best = candidate }
        }
        return best
    }

    // MARK: One order

    private func leastTold(of pool: DrawPools.Pool, _ pools: DrawPools) throws -> Candidate? {
        let longest = pools.selection.maxLength ?? .max
        var pending: Candidate?
        var told = Int.min
        while let level = try level(of: pool, above: told) {
            if let pending, pending.told < level.told { break }
            told = level.told
            if level.shortest > longest { continue }
            let (settled, unrecorded) = try draw(from: pool, level, upTo: longest, pools)
            if let settled { return settled }
            if let unrecorded, pending.map({ unrecorded < $0 }) ?? true { pending = unrecorded }
        }
        return pending
    }

    /// Jokes that were told as often.
    private struct Level {
        let told: Int
        /// The length of the shortest.
        let shortest: Int
    }

    private func level(of pool: DrawPools.Pool, above told: Int) throws -> Level? {
        try connection.prepare(
            """
            SELECT serve_count, length FROM random_order WHERE bucket = ? AND serve_count > ?
            ORDER BY serve_count, length LIMIT 1
            """
        ).first(pool.key, told) { row in
            Level(told: try row.read(0), shortest: try row.read(1))
        }
    }

    /// A joke of a level that is no longer than that: the next one from some place on, and from the beginning where the
    /// end is reached; those told last only where there is no other. Where all are unrecorded, also that of them which was told least often.
    private func draw(
        from pool: DrawPools.Pool, _ level: Level, upTo longest: Int, _ pools: DrawPools
    ) throws -> (settled: Candidate?, unrecorded: Candidate?) {
        let place = try place(in: pool, level, upTo: longest, pools)
        var pending: Candidate?
        var recentlyTold: Candidate?
        for side in [">=", "<"] {
            let settled: Candidate? = try connection.prepare(
                """
                SELECT joke_group FROM random_order
                WHERE bucket = ? AND serve_count = ? AND length <= ?
                    AND (length, shuffle) \(side) (?, ?)
                ORDER BY length, shuffle
                """
            ).first(pool.key, level.told, longest, place.length, place.shuffle) { row in
                let group: Int64 = try row.read(0)
                let recency = pools.putOff.rank(of: group)
                let (sum, isTooLarge) = level.told.addingReportingOverflow(unrecorded.counts[group] ?? 0)
                let told = isTooLarge ? .max : sum
                let candidate = Candidate(group: group, told: told, recency: recency)
                if told > level.told {
                    pending = min(pending ?? candidate, candidate)
                } else if recency > 0 {
                    recentlyTold = min(recentlyTold ?? candidate, candidate)
                } else {
                    return candidate
                }
                return nil
            }
            if let settled { return (settled, pending) }
        }
        return (recentlyTold, pending)
    }

    /// So many jokes are asked for their length, in vain where they are none or too long.
    private static let lengthsAskedFor = 8

    /// Some place in a level, so that jokes of each length come as often as there are such: the length is that of any joke
    /// in the cache, and where that is found too long too often, any up to the longest.
    private func place(
        in pool: DrawPools.Pool, _ level: Level, upTo longest: Int, _ pools: DrawPools
    ) throws -> (length: Int, shuffle: Int64) {
        let shuffle = Int64(UInt32.random(in: .min ... .max, using: &randomness))
        for _ in 0..<Self.lengthsAskedFor {
            let key = Int64.random(in: 1...pools.lastGroup, using: &randomness)
            let length = try connection.prepare("SELECT length FROM groups WHERE key >= ? ORDER BY key LIMIT 1")
                .first(key) { row in try row.read(0, as: Int?.self) }
            if let length = length ?? nil, (level.shortest...longest).contains(length) { return (length, shuffle) }
        }
        let last = try connection.prepare(
            """
            SELECT length FROM random_order WHERE bucket = ? AND serve_count = ?
            ORDER BY length DESC LIMIT 1
            """
        ).first(pool.key, level.told) { row in try row.read(0, as: Int.self) }
        let most = max(level.shortest, min(longest, last ?? level.shortest))
        return (Int.random(in: level.shortest...most, using: &randomness), shuffle)
    }
}
