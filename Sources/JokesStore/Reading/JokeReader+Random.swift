package import JokesCore
import SQLite

extension JokeReader {
    /// A joke out of those that were told least often, first of all never; nil where the selection leaves none.
    ///
    /// A source is drawn first, so that a large one does not drown the others, and within it the jokes come in an
    /// order that was shuffled when they came. The joke counts as told at once for this reader;
    /// `JokeStore.record` makes that last. O(log n) for each source, plus the rows that come before in the
    /// order and that the selection leaves out.
    package func random(_ selection: JokeSelection = JokeSelection()) throws(StoreError) -> Joke? {
        let drawn: (group: Int64, joke: Joke)? = try reading("draw a joke") {
            guard let least = try leastTold(selection) else { return nil }
            let joke = try connection.prepare(
                "SELECT \(Joke.columns) FROM groups g JOIN jokes j ON j.key = g.shown WHERE g.key = ?"
            ).first(least.group) { row in try Joke(row: row) }
            return joke.map { (least.group, $0) }
        }
        guard let drawn else { return nil }
        unrecorded.add(drawn.group)
        return drawn.joke
    }

    /// Takes what the store has recorded from what is unrecorded.
    ///
    /// Between the one and the other such a joke counts twice, which only puts it off.
    package func forget(_ recorded: Tellings) {
        unrecorded.subtract(recorded)
    }

    /// A group that may be drawn, with how often it was told.
    private struct Candidate {
        let group: Int64
        let told: Int
    }

    private func leastTold(_ selection: JokeSelection) throws -> Candidate? {
        var sources = try connection.prepare("SELECT key FROM sources WHERE shown > 0 AND (?1 IS NULL OR name = ?1)")
            .map(selection.source) { row in try row.read(0, as: Int64.self) }
        sources.shuffle(using: &randomness)
        var best: Candidate?
        for source in sources {
            guard let candidate = try leastTold(of: source, selection) else { continue }
            if candidate.told == 0 { return candidate }
            if best.map({ candidate.told < $0.told }) ?? true { best = candidate }
        }
        return best
    }

    private func leastTold(of source: Int64, _ selection: JokeSelection) throws -> Candidate? {
        var bestPending: Candidate?
        let settled = try connection.prepare(
            """
            SELECT g.key, g.told FROM groups g \(selection.needsJoke ? "CROSS JOIN jokes j ON j.key = g.shown" : "")
            WHERE g.source = ?5 AND g.shown IS NOT NULL \(selection.conditionsOnGroup)
            ORDER BY g.told, g.shuffle
            """
        ).first(selection.source, selection.category, selection.language, selection.maxLength, source) { row in
            let candidate = Candidate(group: try row.read(0), told: try row.read(1))
            guard let more = unrecorded.counts[candidate.group] else { return candidate }
            let told = candidate.told + more
            if bestPending.map({ told < $0.told }) ?? true {
                bestPending = Candidate(group: candidate.group, told: told)
            }
            return nil
        }
        guard let settled, let bestPending else { return settled ?? bestPending }
        return bestPending.told < settled.told ? bestPending : settled
    }
}
