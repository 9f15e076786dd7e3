import JokesCore
import JokesStore

/// A model of the store with arrays instead of a database: slow, but easy to check.
struct Model {
    struct Row: Equatable {
        let source: String
        var joke: NormalizedJoke
        var firstSeen: Timestamp
        let place: Place
        var missingSince: Timestamp?
    }

    /// A position in the list.
    struct Place: Comparable {
        let pass: Int
        /// The number of jokes that the pass returned before.
        let number: Int

        static func < (a: Place, b: Place) -> Bool { (a.pass, b.number) < (b.pass, a.number) }
    }

    /// The last pass of a source that has stored a new joke.
    struct Pass {
        let number: Int
        var count = 0
        var isInAnswer = false
    }

    struct StoredFavorite: Equatable {
        var favorite: Favorite
        /// The joke as its source stated it last.
        var stated: JokeContent
        let fingerprint: Fingerprint
    }

    var rules: DisplayRules {
        didSet { configured.formUnion(rules.sourceOrder) }
    }
    /// The sources that any configuration had so far.
    private var configured: Set<String>
    /// The jokes, the oldest first.
    var rows: [Row] = []
    private var passes: [String: Pass] = [:]
    private var passCount = 0
    /// The favorites in the order of their addition.
    var favorites: [StoredFavorite] = []
    var hidden: [Fingerprint: Timestamp] = [:]
    /// The least safe rating that a source ever stated for each text.
    private var ratings: [Fingerprint: (flags: JokeFlags, isUnsafe: Bool)] = [:]
    /// The jokes that each running full sync has returned so far, by source.
    var fullSyncs: [String: Set<JokeID>] = [:]

    init(rules: DisplayRules) {
        self.rules = rules
        configured = Set(rules.sourceOrder)
    }

    // MARK: Reading

    /// The shown jokes, newest first.
    var shown: [Row] {
        withoutDuplicates.filter { !isHidden($0) }.reversed()
    }

    /// The IDs of the hidden jokes that the filters admit. The most recently hidden joke is first. Among jokes that
    /// were hidden at the same time, the newest joke is first.
    var hiddenJokeIDs: [JokeID] {
        let jokes = withoutDuplicates.enumerated().compactMap { offset, row in
            hidden[row.joke.fingerprint].map { hiddenAt in (id: row.joke.id, hiddenAt: hiddenAt, offset: offset) }
        }
        return jokes.sorted { ($0.hiddenAt, $0.offset) > ($1.hiddenAt, $1.offset) }.map(\.id)
    }

    /// The jokes that the filters admit, without duplicates, the oldest first.
    private var withoutDuplicates: [Row] {
        let candidates = rows.filter { isAdmitted($0) }
        let duplicates = Dictionary(grouping: candidates, by: \.joke.fingerprint)
        return candidates.filter { row in
            // `min` returns the first of equal elements, which is the oldest.
            duplicates[row.joke.fingerprint]?.min { priority(of: $0.source) < priority(of: $1.source) } == row
        }
    }

    func isAdmitted(_ row: Row) -> Bool {
        !isRemoved(row.source)
            && rules.admits(withRatingsOfDuplicates(content(of: row), row.joke.fingerprint), from: row.source)
    }

    private func isAdmitted(_ stored: StoredFavorite) -> Bool {
        rows.contains { $0.joke.fingerprint == stored.fingerprint && isAdmitted($0) }
            || rules.admits(
                withRatingsOfDuplicates(stored.favorite.content, stored.fingerprint),
                from: String(stored.favorite.id.source))
    }

    /// Returns true if an earlier configuration had the source, and the current configuration does not.
    func isRemoved(_ source: String) -> Bool {
        configured.contains(source) && !rules.sourceOrder.contains(source)
    }

    /// Returns the content from the source, completed with the defaults of the source.
    func content(of row: Row) -> JokeContent {
        rules.completed(row.joke.content, from: row.source)
    }

    /// Returns the content with the flags of all jokes that ever had the same text. The content is unsafe if any of these
    /// jokes is unsafe, or was by the rating of its source.
    private func withRatingsOfDuplicates(_ content: JokeContent, _ fingerprint: Fingerprint) -> JokeContent {
        var content = content
        if let rating = ratings[fingerprint] {
            content.flags.formUnion(rating.flags)
            if rating.isUnsafe { content.safety = .unsafe }
        }
        for row in rows where row.joke.fingerprint == fingerprint {
            let other = self.content(of: row)
            content.flags.formUnion(other.flags)
            if other.safety == .unsafe { content.safety = .unsafe }
        }
        return content
    }

    /// The favorites that the filters admit, newest first. Among favorites with equal times, the favorite that was
    /// added last is first.
    var shownFavorites: [Favorite] {
        let admitted = favorites.filter(isAdmitted).map(\.favorite).enumerated()
        return admitted.sorted { ($0.element.favoritedAt, $0.offset) > ($1.element.favoritedAt, $1.offset) }
            .map(\.element)
    }

    /// Returns the content of the joke with the ID, or else of the favorite; nil if the filters exclude both.
    func content(of id: JokeID) -> JokeContent? {
        rows.first { $0.joke.id == id && isAdmitted($0) }.map(content(of:))
            ?? shownFavorites.first { $0.id == id }?.content
    }

    /// Returns the IDs of the shown jokes that contain all words. The last word is a prefix.
    func found(_ words: [String]) -> Set<JokeID> {
        Set(
            shown.filter { row in
                let text = "\(row.joke.content.text.setup) \(row.joke.content.text.punchline ?? "")"
                let textWords = text.lowercased().split { !$0.isLetter }.map(String.init)
                return words.dropLast().allSatisfy(textWords.contains)
                    && textWords.contains { word in words.last.map(word.hasPrefix) == true }
            }.map(\.joke.id))
    }

    /// Returns the priority of a source among duplicates. A lower number is a higher priority.
    private func priority(of source: String) -> Int {
        rules.sourceOrder.firstIndex(of: source) ?? .max
    }

    func isHidden(_ row: Row) -> Bool {
        hidden[row.joke.fingerprint] != nil
    }

    func isFavorite(_ row: Row) -> Bool {
        favorites.contains { $0.fingerprint == row.joke.fingerprint }
    }

    /// Returns the fingerprint of the joke with the ID, or else of the favorite.
    func fingerprint(of id: JokeID) -> Fingerprint? {
        rows.first { $0.joke.id == id }?.joke.fingerprint ?? favorites.first { $0.favorite.id == id }?.fingerprint
    }

    // MARK: Changes

    mutating func ingest(
        _ batch: [NormalizedJoke], from source: String, at now: Timestamp, part: BatchPart
    ) -> IngestReport {
        if part.beginsFullSync { fullSyncs[source] = [] }
        var report = IngestReport()
        var seen: Set<JokeID> = []
        let unique = batch.map(withUnambiguousID).filter { seen.insert($0.id).inserted }
        report.duplicates = batch.count - unique.count
        let places = places(of: unique.map(\.id), from: source, part)
        defer { rows.sort { $0.place < $1.place } }
        for (joke, place) in zip(unique, places).reversed() {
            if fullSyncs[source]?.contains(joke.id) == true, isOtherSpelling(joke, from: source) {
                report.duplicates += 1
                continue
            }
            if let index = rows.firstIndex(where: { $0.joke.id == joke.id }) {
                if rows[index].joke.contentHash == joke.contentHash {
                    report.unchanged += 1
                } else {
                    report.changed += 1
                }
                rows[index].joke = joke
                rows[index].missingSince = nil
            } else {
                let isDuplicate = rows.contains { $0.joke.fingerprint == joke.fingerprint }
                if isDuplicate { report.duplicates += 1 } else { report.new += 1 }
                report.inserted += 1
                rows.append(Row(source: source, joke: joke, firstSeen: now, place: place))
            }
            rate(joke)
        }
        fullSyncs[source]?.formUnion(seen)
        if part.completesFullSync { report.missing = endFullSync(of: source, at: now) }
        updateFavorites()
        return report
    }

    /// Imports jokes, the newest first. Jokes with known IDs only get an earlier time.
    mutating func importJokes(_ jokes: [NormalizedJoke], at now: Timestamp) {
        for joke in jokes.map(withUnambiguousID).reversed() {
            if let index = rows.firstIndex(where: { $0.joke.id == joke.id }) {
                rows[index].firstSeen = min(rows[index].firstSeen, now)
                continue
            }
            passCount += 1
            fullSyncs[String(joke.id.source)]?.insert(joke.id)
            rows.append(
                Row(
                    source: String(joke.id.source), joke: joke, firstSeen: now, place: Place(pass: passCount, number: 0)
                ))
            rate(joke)
        }
        updateFavorites()
    }

    /// The favorites as the journal has them, and the hidden marks.
    struct Marks: Equatable {
        var favorites: [Favorite] = []
        var hidden: [Fingerprint: Timestamp] = [:]
    }

    /// The marks before each change that no undo has taken back.
    private var earlierMarks: [Marks] = []
    private var marks = Marks()

    /// Performs a change of favorites or hidden marks, which an undo can take back.
    mutating func changeMarks<Result>(_ change: (inout Model) -> Result) -> Result {
        let before = marks
        let result = change(&self)
        recordMarks()
        if marks != before { earlierMarks.append(before) }
        return result
    }

    /// Takes back the last change. Returns false if there is none.
    mutating func undo() -> Bool {
        guard let earlier = earlierMarks.popLast() else { return false }
        let notes = Dictionary(
            uniqueKeysWithValues: earlier.favorites.map { (Fingerprint(of: $0.content.text), $0.note) })
        favorites.removeAll { notes[$0.fingerprint] == nil }
        for index in favorites.indices { favorites[index].favorite.note = notes[favorites[index].fingerprint]! }
        let known = Set(favorites.map(\.fingerprint))
        importFavorites(earlier.favorites.filter { !known.contains(Fingerprint(of: $0.content.text)) }.reversed())
        hidden = earlier.hidden
        recordMarks()
        return true
    }

    /// Adds new favorites with their content of this moment. The content of others changes only with their notes.
    private mutating func recordMarks() {
        let favorites = favorites.map(\.favorite)
        marks.hidden = hidden
        var journaled: [Favorite] = []
        for old in marks.favorites {
            let text = Fingerprint(of: old.content.text)
            guard let new = favorites.first(where: { Fingerprint(of: $0.content.text) == text }) else { continue }
            journaled.append(new.note == old.note ? old : new)
        }
        let known = Set(journaled.map { Fingerprint(of: $0.content.text) })
        marks.favorites = journaled + favorites.filter { !known.contains(Fingerprint(of: $0.content.text)) }
    }

    /// Imports favorites, the newest first. Known favorites without a note get the imported note.
    mutating func importFavorites(_ imported: [Favorite]) {
        for var favorite in imported.reversed() {
            let fingerprint = Fingerprint(of: favorite.content.text)
            if let index = favorites.firstIndex(where: { $0.fingerprint == fingerprint }) {
                favorites[index].favorite.note = favorites[index].favorite.note ?? favorite.note
                continue
            }
            let isTaken =
                rows.contains { $0.joke.id == favorite.id && $0.joke.fingerprint != fingerprint }
                || favorites.contains { $0.favorite.id == favorite.id }
            if isTaken { favorite.id = JokeID(source: String(favorite.id.source), fingerprint: fingerprint) }
            let stated = favorite.content
            favorite.content = rules.completed(stated, from: String(favorite.id.source))
            favorites.append(StoredFavorite(favorite: favorite, stated: stated, fingerprint: fingerprint))
        }
        // The journal has favorites as they were imported.
        recordMarks()
        updateFavorites()
    }

    private mutating func rate(_ joke: NormalizedJoke) {
        let rating = ratings[joke.fingerprint] ?? (JokeFlags(), false)
        ratings[joke.fingerprint] = (
            rating.flags.union(joke.content.flags), rating.isUnsafe || joke.content.safety == .unsafe
        )
    }

    /// Removes the jokes that a full cache has evicted, all jokes that it no longer has.
    mutating func evict(keeping ids: Set<JokeID>) {
        rows.removeAll { !ids.contains($0.joke.id) }
        updateFavorites()
    }

    /// Returns the positions of jokes in the list, if they are new.
    ///
    /// A new pass is newer than all other passes. If the last pass was interrupted within an answer, it continues.
    private mutating func places(of ids: [JokeID], from source: String, _ part: BatchPart) -> [Place] {
        let known = Set(rows.map(\.joke.id))
        let last = passes[source]
        var (current, newerCount) = (part.beginsPass ? nil : last, 0)
        if part.beginsPass, last?.isInAnswer == true, let index = ids.firstIndex(where: known.contains) {
            (current, newerCount) = (last, index)
        }
        passCount += 2
        var pass = current ?? Pass(number: passCount - 1)
        let places = ids.indices.map { index in
            index < newerCount
                ? Place(pass: passCount, number: index)
                : Place(pass: pass.number, number: pass.count + index - newerCount)
        }
        if !known.isSuperset(of: ids) {
            pass.count += ids.count - newerCount
            current = pass
        }
        current?.isInAnswer = !part.endsAnswer
        passes[source] = current
        return places
    }

    /// Returns true if a stored joke has the same ID, which is derived from the text, but another spelling.
    private func isOtherSpelling(_ joke: NormalizedJoke, from source: String) -> Bool {
        rows.contains { $0.joke.id == joke.id && $0.joke.contentHash != joke.contentHash }
            && joke.id == JokeID(source: source, fingerprint: joke.fingerprint)
    }

    /// Returns the number of newly missing jokes.
    private mutating func endFullSync(of source: String, at now: Timestamp) -> Int {
        guard let seen = fullSyncs.removeValue(forKey: source) else { return 0 }
        let missing = rows.indices.filter { index in
            rows[index].source == source && rows[index].missingSince == nil && !seen.contains(rows[index].joke.id)
        }
        for index in missing { rows[index].missingSince = now }
        return missing.count
    }

    /// Returns the joke. If a favorite with another text has the same ID, the ID is derived from the text.
    private func withUnambiguousID(_ joke: NormalizedJoke) -> NormalizedJoke {
        let isTaken = favorites.contains { $0.favorite.id == joke.id && $0.fingerprint != joke.fingerprint }
        guard isTaken else { return joke }
        var joke = joke
        joke.id = JokeID(source: String(joke.id.source), fingerprint: joke.fingerprint)
        return joke
    }

    /// Adds a favorite, and returns it; nil if no admitted joke or favorite has the ID.
    mutating func favorite(_ id: JokeID, note: String?, at now: Timestamp) -> Favorite? {
        guard content(of: id) != nil, let fingerprint = fingerprint(of: id) else { return nil }
        if !favorites.contains(where: { $0.fingerprint == fingerprint }) {
            guard let row = rows.first(where: { $0.joke.id == id }) else { return nil }
            let favorite = Favorite(id: id, content: content(of: row), favoritedAt: now, firstSeen: row.firstSeen)
            favorites.append(
                StoredFavorite(favorite: favorite, stated: row.joke.content, fingerprint: fingerprint))
        }
        guard let index = favorites.firstIndex(where: { $0.fingerprint == fingerprint }) else { return nil }
        if let note { favorites[index].favorite.note = note.isEmpty ? nil : note }
        return favorites[index].favorite
    }

    mutating func adopt(_ rules: DisplayRules) {
        if rules == self.rules { return }
        self.rules = rules
        updateFavorites()
    }

    /// Gives favorites the language and safety that their jokes have, or what was stated with the defaults of today.
    private mutating func updateFavorites() {
        for index in favorites.indices {
            let stored = favorites[index]
            let source = String(stored.favorite.id.source)
            let own = rows.first {
                $0.joke.id == stored.favorite.id && $0.joke.fingerprint == stored.fingerprint
                    && rules.sourceOrder.contains($0.source)
            }
            if let own {
                favorites[index].stated = own.joke.content
                favorites[index].favorite.content.flags = own.joke.content.flags
            }
            guard own != nil || rules.sourceDefaults[source] != nil else { continue }
            let new = rules.completed(favorites[index].stated, from: source)
            favorites[index].favorite.content.language = new.language
            favorites[index].favorite.content.safety = new.safety
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

    /// Removes the jokes of a source. Returns the number of removed jokes.
    mutating func forget(_ source: String) -> Int {
        let count = rows.count
        rows.removeAll { $0.source == source }
        (fullSyncs[source], passes[source]) = (nil, nil)
        updateFavorites()
        return count - rows.count
    }
}
