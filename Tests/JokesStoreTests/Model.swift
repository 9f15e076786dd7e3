import JokesCore
import JokesStore

/// What the store promises, said again with arrays: slow, and plain enough to be believed.
struct Model {
    struct Row: Equatable {
        let source: String
        var joke: NormalizedJoke
        var isMissing = false
    }

    struct Kept: Equatable {
        let id: JokeID
        /// With the language and safety that its joke had when the rules changed last.
        var content: JokeContent
        let fingerprint: Fingerprint
    }

    var rules: ShowingRules {
        didSet { configured.formUnion(rules.sourceOrder) }
    }
    /// The sources that the configuration has, or once had.
    private var configured: Set<String>
    /// In the order in which they came.
    var rows: [Row] = []
    /// In the order in which they were starred.
    var favorites: [Kept] = []
    var hidden: Set<Fingerprint> = []
    /// What was seen since they began, by the sources whose sweeps run.
    var sweeps: [String: Set<JokeID>] = [:]

    init(rules: ShowingRules) {
        self.rules = rules
        configured = Set(rules.sourceOrder)
    }

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

    func isAdmitted(_ row: Row) -> Bool {
        let isRemoved = configured.contains(row.source) && !rules.sourceOrder.contains(row.source)
        return !isRemoved && rules.admits(rated(content(of: row), row.joke.fingerprint), from: row.source)
    }

    private func isAdmitted(_ favorite: Kept) -> Bool {
        rules.admits(rated(favorite.content, favorite.fingerprint), from: String(favorite.id.source))
    }

    /// What the source states, completed with its defaults.
    func content(of row: Row) -> JokeContent {
        rules.completed(row.joke.content, from: row.source)
    }

    /// The content with the flags and the safety of all jokes with the same text.
    private func rated(_ content: JokeContent, _ fingerprint: Fingerprint) -> JokeContent {
        var content = content
        for row in rows where row.joke.fingerprint == fingerprint {
            let other = self.content(of: row)
            content.flags.formUnion(other.flags)
            if other.safety == .unsafe { content.safety = .unsafe }
        }
        return content
    }

    /// Newest first.
    var shownFavorites: [Kept] {
        favorites.reversed().filter(isAdmitted)
    }

    /// What is shown of the joke, or else the favorite, with the id.
    func content(of id: JokeID) -> JokeContent? {
        rows.first { $0.joke.id == id && isAdmitted($0) }.map(content(of:))
            ?? shownFavorites.first { $0.id == id }?.content
    }

    /// The ids of what is shown that has all the words, the last of which is the beginning of one.
    func found(_ words: [String]) -> Set<JokeID> {
        Set(
            shown.filter { row in
                let text = "\(row.joke.content.text.setup) \(row.joke.content.text.punchline ?? "")"
                let said = text.lowercased().split { !$0.isLetter }.map(String.init)
                return words.dropLast().allSatisfy(said.contains)
                    && said.contains { word in words.last.map(word.hasPrefix) == true }
            }.map(\.joke.id))
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
        for joke in batch.map(identified) {
            guard seen.insert(joke.id).inserted else {
                report.duplicates += 1
                continue
            }
            if sweeps[source]?.contains(joke.id) == true, isSecondTelling(joke, from: source) {
                report.duplicates += 1
                continue
            }
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

    private func isSecondTelling(_ joke: NormalizedJoke, from source: String) -> Bool {
        rows.contains { $0.joke.id == joke.id && $0.joke.contentHash != joke.contentHash }
            && joke.id == JokeID(source: source, fingerprint: joke.fingerprint)
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

    /// The joke, with the ID that follows from its text if its own is the ID of a favorite with another text.
    private func identified(_ joke: NormalizedJoke) -> NormalizedJoke {
        guard favorites.contains(where: { $0.id == joke.id && $0.fingerprint != joke.fingerprint }) else { return joke }
        var joke = joke
        joke.id = JokeID(source: String(joke.id.source), fingerprint: joke.fingerprint)
        return joke
    }

    mutating func favorite(_ id: JokeID) -> Bool {
        guard content(of: id) != nil, let fingerprint = fingerprint(of: id) else { return false }
        favorites = favorites.filter { $0.fingerprint != fingerprint || isAdmitted($0) }
        if favorites.contains(where: { $0.fingerprint == fingerprint }) { return true }
        guard let row = rows.first(where: { $0.joke.id == id }) else { return false }
        favorites.append(Kept(id: id, content: content(of: row), fingerprint: fingerprint))
        return true
    }

    mutating func adopt(_ rules: ShowingRules) {
        if rules == self.rules { return }
        self.rules = rules
        for place in favorites.indices {
            let favorite = favorites[place]
            let row = rows.first {
                $0.joke.id == favorite.id && $0.joke.fingerprint == favorite.fingerprint
                    && rules.sourceOrder.contains($0.source)
            }
            guard let content = row.map(content(of:)) else { continue }
            (favorites[place].content.language, favorites[place].content.safety) = (content.language, content.safety)
        }
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
