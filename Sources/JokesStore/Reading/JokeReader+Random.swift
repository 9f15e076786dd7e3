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
        drawPlaces.places = [:]
    }

    /// A group that may be drawn, with how often it was told.
    private struct Candidate {
        let group: Int64
        let told: Int
    }

    private func leastTold(_ selection: JokeSelection) throws -> Candidate? {
        let version = try connection.prepare("PRAGMA data_version").first { row in try row.read(0, as: Int.self) }
        if drawPlaces.version != version || drawPlaces.selection != selection {
            drawPlaces = DrawPlaces(selection: selection, version: version)
        }
        var sources =
            try drawPlaces.sources
            ?? connection.prepare("SELECT key FROM sources WHERE shown > 0 AND (?1 IS NULL OR name = ?1)")
            .map(selection.source) { row in try row.read(0, as: Int64.self) }
        drawPlaces.sources = sources
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
        guard let place = drawPlaces.places[source] else { return try leastTold(of: source, selection, from: .first) }
        let next = try leastTold(of: source, selection, from: place)
        if next?.told == place.told { return next }
        // It was told more often: something before the place may now have been told least.
        drawPlaces.places[source] = nil
        return try leastTold(of: source, selection, from: .first)
    }

    private func leastTold(
        of source: Int64, _ selection: JokeSelection, from start: DrawPlaces.Place
    ) throws -> Candidate? {
        var bestPending: Candidate?
        var place = start
        let settled = try connection.prepare(
            """
            SELECT g.key, g.told, g.shuffle
            FROM groups g \(selection.needsJoke ? "CROSS JOIN jokes j ON j.key = g.shown" : "")
            WHERE g.source = ?5 AND g.shown IS NOT NULL AND (g.told, g.shuffle) >= (?6, ?7)
            \(selection.conditionsOnGroup)
            ORDER BY g.told, g.shuffle
            """
        ).first(
            selection.source, selection.category, selection.language, selection.maxLength, source, start.told,
            start.shuffle
        ) { row in
            let candidate = Candidate(group: try row.read(0), told: try row.read(1))
            guard let more = unrecorded.counts[candidate.group] else {
                place = DrawPlaces.Place(told: candidate.told, shuffle: try row.read(2))
                return candidate
            }
            let told = candidate.told + more
            if bestPending.map({ told < $0.told }) ?? true {
                bestPending = Candidate(group: candidate.group, told: told)
            }
            return nil
        }
        if let settled, bestPending.map({ $0.told >= settled.told }) ?? true {
            drawPlaces.places[source] = place
            return settled
        }
        return bestPending
    }
}

/// Where the next draw from each source goes on, in the order in which a selection's jokes come.
///
/// What comes before was told and is not recorded yet, and counts as told once more. To pass over it again would make
/// each draw of a burst take longer than the one before.
struct DrawPlaces {
    struct Place {
        /// How often the store knows that it was told.
        let told: Int
        let shuffle: Int

        static let first = Place(told: 0, shuffle: 0)
    }

    var selection = JokeSelection()
    /// SQLite's `data_version`: what follows is good while nobody has written.
    var version: Int?
    /// The keys of the sources that show something of the selection's; nil where they were not looked up.
    var sources: [Int64]?
    /// By the source's key.
    var places: [Int64: Place] = [:]
}
