import JokesCore
import JokesStore

/// What the store promises, said again with arrays: slow, and plain enough to be believed.
struct Model {
    struct Row: Equatable {
        let source: String
        var joke: NormalizedJoke
        var isMissing = false
    }

    var rules: ShowingRules
    /// In the order in which they came.
    var rows: [Row] = []
    /// In the order in which they were starred.
    var favorites: [(id: JokeID, content: JokeContent, fingerprint: Fingerprint)] = []
    var hidden: Set<Fingerprint> = []
    /// What was seen since they began, by the sources whose sweeps run.
    var sweeps: [String: Set<JokeID>] = [:]

    // MARK: What is seen

    /// Newest first.
    var shown: [Row] {
        let candidates = rows.filter { !hidden.contains($0.joke.fingerprint) && isAdmitted($0) }
        let tellings = Dictionary(grouping: candidates, by: \.joke.fingerprint)
        return candidates.reversed().filter { row in
            // The first of equals is the oldest.
            tellings[row.joke.fingerprint]?.min { place(of: $0.source) < place(of: $1.source) } == row
        }
    }

    private func isAdmitted(_ row: Row) -> Bool {
        !rules.filter.safe || (row.joke.content.safety == .safe && row.joke.content.flags.isEmpty)
    }

    private func place(of source: String) -> Int {
        rules.sourceOrder.firstIndex(of: source) ?? .max
    }

    func isStarred(_ row: Row) -> Bool {
        favorites.contains { $0.fingerprint == row.joke.fingerprint }
    }

    /// Of the joke, or else the favorite, with the id.
    func fingerprint(of id: JokeID) -> Fingerprint? {
        rows.first { $0.joke.id == id }?.joke.fingerprint ?? favorites.first { $0.id == id }?.fingerprint
    }

    // MARK: What is done

    mutating func ingest(_ batch: [NormalizedJoke], from source: String, part: SweepPart) -> IngestReport {
        if part == .beginning || part == .whole { sweeps[source] = [] }
        var report = IngestReport()
        var seen: Set<JokeID> = []
        for joke in batch {
            guard seen.insert(joke.id).inserted else {
                report.duplicates += 1
                continue
            }
            releaseID(joke)
            if let place = rows.firstIndex(where: { $0.joke.id == joke.id }) {
                if rows[place].joke.contentHash == joke.contentHash {
                    report.unchanged += 1
                } else {
                    report.changed += 1
                }
                rows[place].joke = joke
                rows[place].isMissing = false
            } else {
                let isTold = rows.contains { $0.joke.fingerprint == joke.fingerprint }
                if isTold { report.duplicates += 1 } else { report.new += 1 }
                rows.append(Row(source: source, joke: joke))
            }
        }
        sweeps[source]?.formUnion(seen)
        if part == .end || part == .whole { report.missing = endSweep(of: source) }
        return report
    }

    /// Returns how many jokes are missing from now on.
    private mutating func endSweep(of source: String) -> Int {
        guard let seen = sweeps.removeValue(forKey: source) else { return 0 }
        let gone = rows.indices.filter { place in
            rows[place].source == source && !rows[place].isMissing && !seen.contains(rows[place].joke.id)
        }
        for place in gone { rows[place].isMissing = true }
        return gone.count
    }

    private mutating func releaseID(_ joke: NormalizedJoke) {
        for place in favorites.indices
        where favorites[place].id == joke.id && favorites[place].fingerprint != joke.fingerprint {
            favorites[place].id = JokeID(source: String(joke.id.source), fingerprint: favorites[place].fingerprint)
        }
    }

    mutating func favorite(_ id: JokeID) -> Bool {
        guard let fingerprint = fingerprint(of: id) else { return false }
        if favorites.contains(where: { $0.fingerprint == fingerprint }) { return true }
        guard let row = rows.first(where: { $0.joke.id == id }) else { return false }
        favorites.append((id, row.joke.content, fingerprint))
        return true
    }

    mutating func unfavorite(_ id: JokeID) -> Bool {
        guard let fingerprint = fingerprint(of: id) else { return false }
        favorites.removeAll { $0.fingerprint == fingerprint }
        return true
    }

    mutating func setHidden(_ isHidden: Bool, _ id: JokeID) -> Bool {
        guard let fingerprint = fingerprint(of: id) else { return false }
        if isHidden { hidden.insert(fingerprint) } else { hidden.remove(fingerprint) }
        return true
    }
}
