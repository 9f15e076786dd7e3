import JokesCore
import JokesStore

/// The promises of the store, written with arrays: slow, but easy to check.
struct Model {
    struct Row: Equatable {
        let source: String
        var joke: NormalizedJoke
        let firstSeen: Timestamp
        var isMissing = false
    }

    struct Kept: Equatable {
        /// The language and safety are those of the joke when it became a favorite, or when the rules changed later.
        var favorite: Favorite
        let fingerprint: Fingerprint
    }

    var rules: DisplayRules {
        didSet { configured.formUnion(rules.sourceOrder) }
    }
    /// The sources that the configuration has, or once had.
    private var configured: Set<String>
    /// In the order in which they were added.
    var rows: [Row] = []
    /// In the order in which they were added.
    var favorites: [Kept] = []
    var hidden: [Fingerprint: Timestamp] = [:]
    /// The jokes that each running full sync has returned so far, by source.
    var fullSyncs: [String: Set<JokeID>] = [:]

    init(rules: DisplayRules) {
        self.rules = rules
        configured = Set(rules.sourceOrder)
    }

    // MARK: Reading

    /// Newest first.
    var shown: [Row] {
        let candidates = rows.filter { hidden[$0.joke.fingerprint] == nil && isAdmitted($0) }
        let duplicates = Dictionary(grouping: candidates, by: \.joke.fingerprint)
        return candidates.reversed().filter { row in
            // The first of equals is the oldest.
            duplicates[row.joke.fingerprint]?.min { place(of: $0.source) < place(of: $1.source) } == row
        }
    }

    func isAdmitted(_ row: Row) -> Bool {
        !isRemoved(row.source) && rules.admits(rated(content(of: row), row.joke.fingerprint), from: row.source)
    }

    private func isAdmitted(_ kept: Kept) -> Bool {
        rules.admits(rated(kept.favorite.content, kept.fingerprint), from: String(kept.favorite.id.source))
    }

    /// Whether the configuration once had the source, and no longer has it.
    func isRemoved(_ source: String) -> Bool {
        configured.contains(source) && !rules.sourceOrder.contains(source)
    }

    /// The content from the source, completed with the defaults of the source.
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

    /// Newest first; of those with equal times, the last added first.
    var shownFavorites: [Favorite] {
        let admitted = favorites.filter(isAdmitted).map(\.favorite).enumerated()
        return admitted.sorted { ($0.element.favoritedAt, $0.offset) > ($1.element.favoritedAt, $1.offset) }
            .map(\.element)
    }

    /// The content of the joke, or else the favorite, with the ID, if the filters admit it.
    func content(of id: JokeID) -> JokeContent? {
        rows.first { $0.joke.id == id && isAdmitted($0) }.map(content(of:))
            ?? shownFavorites.first { $0.id == id }?.content
    }

    /// The IDs of the shown jokes that have all the words. The last word is a prefix.
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

    func isFavorite(_ row: Row) -> Bool {
        favorites.contains { $0.fingerprint == row.joke.fingerprint }
    }

    /// The fingerprint of the joke, or else the favorite, with the ID.
    func fingerprint(of id: JokeID) -> Fingerprint? {
        rows.first { $0.joke.id == id }?.joke.fingerprint ?? favorites.first { $0.favorite.id == id }?.fingerprint
    }

    // MARK: Changes

    mutating func ingest(
        _ batch: [NormalizedJoke], from source: String, at now: Timestamp, part: FullSyncPart
    ) -> IngestReport {
        if part == .beginning || part == .whole { fullSyncs[source] = [] }
        var report = IngestReport()
        var seen: Set<JokeID> = []
        for joke in batch.map(identified) {
            guard seen.insert(joke.id).inserted else {
                report.duplicates += 1
                continue
            }
            if fullSyncs[source]?.contains(joke.id) == true, isRespelled(joke, from: source) {
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
                let isDuplicate = rows.contains { $0.joke.fingerprint == joke.fingerprint }
                if isDuplicate { report.duplicates += 1 } else { report.new += 1 }
                rows.append(Row(source: source, joke: joke, firstSeen: now))
            }
        }
        fullSyncs[source]?.formUnion(seen)
        if part == .end || part == .whole { report.missing = endFullSync(of: source) }
        return report
    }

    private func isRespelled(_ joke: NormalizedJoke, from source: String) -> Bool {
        rows.contains { $0.joke.id == joke.id && $0.joke.contentHash != joke.contentHash }
            && joke.id == JokeID(source: source, fingerprint: joke.fingerprint)
    }

    /// Returns the number of newly missing jokes.
    private mutating func endFullSync(of source: String) -> Int {
        guard let seen = fullSyncs.removeValue(forKey: source) else { return 0 }
        let gone = rows.indices.filter { place in
            rows[place].source == source && !rows[place].isMissing && !seen.contains(rows[place].joke.id)
        }
        for place in gone { rows[place].isMissing = true }
        return gone.count
    }

    /// The joke, with the ID that follows from its text if its own is the ID of a favorite with another text.
    private func identified(_ joke: NormalizedJoke) -> NormalizedJoke {
        let isTaken = favorites.contains { $0.favorite.id == joke.id && $0.fingerprint != joke.fingerprint }
        guard isTaken else { return joke }
        var joke = joke
        joke.id = JokeID(source: String(joke.id.source), fingerprint: joke.fingerprint)
        return joke
    }

    /// Returns the favorite; nil if no shown joke or favorite has the ID.
    mutating func favorite(_ id: JokeID, note: String?, at now: Timestamp) -> Favorite? {
        guard content(of: id) != nil, let fingerprint = fingerprint(of: id) else { return nil }
        let excluded = favorites.first { $0.fingerprint == fingerprint && !isAdmitted($0) }
        if let excluded { favorites.removeAll { $0 == excluded } }
        if !favorites.contains(where: { $0.fingerprint == fingerprint }) {
            guard let row = rows.first(where: { $0.joke.id == id }) else { return nil }
            let favorite = Favorite(id: id, content: content(of: row), favoritedAt: now, firstSeen: row.firstSeen)
            favorites.append(Kept(favorite: favorite, fingerprint: fingerprint))
        }
        guard let place = favorites.firstIndex(where: { $0.fingerprint == fingerprint }) else { return nil }
        if let note = note ?? excluded?.favorite.note { favorites[place].favorite.note = note.isEmpty ? nil : note }
        return favorites[place].favorite
    }

    mutating func adopt(_ rules: DisplayRules) {
        if rules == self.rules { return }
        self.rules = rules
        for place in favorites.indices {
            let kept = favorites[place]
            let row = rows.first {
                $0.joke.id == kept.favorite.id && $0.joke.fingerprint == kept.fingerprint
                    && rules.sourceOrder.contains($0.source)
            }
            guard let new = row.map(content(of:)) else { continue }
            favorites[place].favorite.content.language = new.language
            favorites[place].favorite.content.safety = new.safety
        }
    }

    mutating func unfavorite(_ id: JokeID) -> Bool {
        guard let fingerprint = fingerprint(of: id) else { return false }
        favorites.removeAll { $0.fingerprint == fingerprint }
        return true
    }

    mutating func setHidden(_ isHidden: Bool, _ id: JokeID, at now: Timestamp) -> Bool {
        guard let fingerprint = fingerprint(of: id) else { return false }
        hidden[fingerprint] = isHidden ? hidden[fingerprint] ?? now : nil
        return true
    }

    /// Removes the jokes of a source. Returns their number.
    mutating func forget(_ source: String) -> Int {
        let count = rows.count
        rows.removeAll { $0.source == source }
        fullSyncs[source] = nil
        return count - rows.count
    }
}
