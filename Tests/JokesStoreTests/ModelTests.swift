import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// Random changes of the store, compared with the same changes of a `Model`.
@Suite struct ModelTests {
    private enum Step: Sendable {
        case ingest([NormalizedJoke], from: String, BatchPart)
        case favorite(JokeID, note: String?)
        case unfavorite(JokeID)
        case setHidden(Bool, JokeID)
        case adopt(DisplayRules)
        case forget(String)
        case importJokes([NormalizedJoke])
        case importFavorites([Favorite])
        case undo
        case evict(maxJokes: Int)
        case reopen
    }

    private static let sources = ["a", "b", "c"]
    private static let parts: [BatchPart] = [.outside, .beginning, .middle, .end, .whole]

    @Test("after random changes and restarts, lists, hidden jokes, counts and searches are those of the model")
    func storeEqualsModel() throws {
        var random = SplitMix64(seed: testSeed)
        for number in 0..<scaled(12) {
            do {
                try run(100, &random)
            } catch {
                throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; run \(number): \(error)")
            }
        }
    }

    private func run(_ steps: Int, _ random: inout SplitMix64) throws {
        let fixture = try Fixture()
        // At first, "c" has never been configured, like the source of an imported joke.
        var model = Model(rules: .unfiltered(sources: ["a", "b"]))
        var store = try fixture.open(rules: model.rules)
        var reader = try JokeReader(of: store)
        let inspector = try Connection(path: fixture.databasePath, access: .reading)
        for number in 0..<steps {
            let step = try randomStep(model, &random)
            // The clock may be set forward or back.
            let now = Fixture.now.advanced(by: .seconds(3600 * random.int(in: -99..<99)))
            do {
                if case .reopen = step {
                    store = try fixture.open(rules: model.rules)
                    reader = try JokeReader(of: store)
                } else {
                    try perform(step, at: now, store, inspector, &model)
                }
                try compare(reader, model)
                try compareSearch(reader, model, &random)
                try checkServed(store, model)
                try checkTables(inspector)
            } catch {
                throw BrokenProperty("step \(number), \(step): \(error)")
            }
        }
        try checkDatabase(fixture.databasePath)
    }

    private func randomStep(_ model: Model, _ random: inout SplitMix64) throws -> Step {
        let id = randomID(model, &random)
        switch random.int(in: 0..<24) {
        case 0..<8:
            let source = Self.sources[random.int(in: 0..<3)]
            let batch = try (0..<random.int(in: 0..<6)).map { _ in try randomJoke(of: source, model, &random) }
            let (beginsPass, endsAnswer) = (random.chance(1, in: 2), random.chance(1, in: 2))
            let part = Self.parts[random.int(in: 0..<Self.parts.count)]
            return .ingest(
                batch, from: source,
                BatchPart(
                    beginsFullSync: part.beginsFullSync, completesFullSync: part.completesFullSync,
                    isInFullSync: part.isInFullSync, beginsPass: beginsPass, endsAnswer: endsAnswer))
        case 8..<11: return .favorite(id, note: ["mine", "another", "", nil, nil][random.int(in: 0..<5)])
        case 11, 12: return .unfavorite(id)
        case 13: return .setHidden(random.chance(1, in: 3), id)
        case 14, 15: return .adopt(randomRules(&random))
        case 16: return .forget(Self.sources[random.int(in: 0..<3)])
        case 17, 18: return .importJokes(try randomImport(model, &random))
        case 19:
            let favorites = try randomImport(model, &random).map { joke in
                Favorite(
                    id: joke.id, content: joke.content, favoritedAt: Fixture.now,
                    note: random.chance(1, in: 2) ? "theirs" : nil)
            }
            return .importFavorites(favorites)
        case 20: return .evict(maxJokes: random.int(in: 0..<8))
        case 21, 22: return .undo
        default: return .reopen
        }
    }

    /// Returns jokes of any sources, with the ratings that an import gives them.
    private func randomImport(_ model: Model, _ random: inout SplitMix64) throws -> [NormalizedJoke] {
        try (0..<random.int(in: 0..<6)).map { _ in
            var joke = try randomJoke(of: Self.sources[random.int(in: 0..<3)], model, &random)
            joke.content = SourceDefaults().applied(to: joke.content)
            joke.contentHash = contentHash(of: joke.content)
            return joke
        }
    }

    private func randomRules(_ random: inout SplitMix64) -> DisplayRules {
        var rules = DisplayRules.unfiltered(sources: [])
        rules.sourceOrder = Array(Self.sources.shuffled(using: &random).prefix(random.int(in: 0..<4)))
        if random.chance(1, in: 2) { rules.filter = randomFilter(&random) }
        for source in Self.sources where random.chance(1, in: 6) { rules.sourceFilters[source] = randomFilter(&random) }
        for source in rules.sourceOrder where random.chance(2, in: 3) {
            rules.sourceDefaults[source] = SourceDefaults(
                language: ["und", "en", "de"][random.int(in: 0..<3)], safety: randomSafety(&random),
                configuredSafety: random.chance(1, in: 2) ? randomSafety(&random) : nil)
        }
        return rules
    }

    private func randomSafety(_ random: inout SplitMix64) -> Safety {
        Safety.allCases[random.int(in: 0..<Safety.allCases.count)]
    }

    private func randomFilter(_ random: inout SplitMix64) -> JokeFilter {
        JokeFilter(
            safe: random.chance(1, in: 2), languages: random.chance(1, in: 4) ? ["en"] : [],
            flags: random.chance(1, in: 3) ? .nsfw : [], words: random.chance(1, in: 3) ? [randomWord(&random)] : [],
            maxLength: random.chance(1, in: 4) ? 14 : nil)
    }

    private func randomWord(_ random: inout SplitMix64) -> String {
        Self.words[random.int(in: 0..<Self.words.count)]
    }

    private static let words = ["first", "second", "third", "fourth", "fifth", "sixth"]

    /// Returns a joke with one of a few IDs and one of a few texts, so that both often collide.
    private func randomJoke(of source: String, _ model: Model, _ random: inout SplitMix64) throws -> NormalizedJoke {
        let stored = model.rows.filter { $0.source == source }.map(\.joke)
        if random.chance(1, in: 3), let joke = stored.randomElement(using: &random) { return joke }
        let id = random.chance(1, in: 4) ? "~" : "\(random.int(in: 0..<5))"
        let text = "The \(randomWord(&random)) duck"
        var joke = try joke(
            source, id, random.chance(1, in: 3) ? text + "!" : text, random.chance(1, in: 5) ? "Quack." : nil,
            flags: random.chance(1, in: 4) ? ["nsfw"] : [],
            language: ["en", "en-GB", "de", "und"][random.int(in: 0..<4)],
            safety: random.chance(1, in: 3) ? randomSafety(&random) : .safe)
        // The store does not trust that flags and safety agree.
        if random.chance(1, in: 8) { joke.content.safety = .safe }
        joke.contentHash = contentHash(of: joke.content)
        return joke
    }

    /// Returns an ID, often of a favorite or of a duplicate of a favorite.
    private func randomID(_ model: Model, _ random: inout SplitMix64) -> JokeID {
        var known = model.rows.map(\.joke.id) + model.favorites.map(\.favorite.id)
        if random.chance(1, in: 12) { known = [JokeID(rawValue: "a:x")] }
        if random.chance(1, in: 3) {
            known = model.rows.filter(model.isFavorite).map(\.joke.id) + model.favorites.map(\.favorite.id)
        }
        return known.randomElement(using: &random) ?? JokeID(rawValue: "a:0")
    }

    private func perform(
        _ step: Step, at now: Timestamp, _ store: JokeStore, _ inspector: Connection, _ model: inout Model
    ) throws {
        switch step {
        case .ingest(let batch, let source, let part):
            let favorites = model.shownFavorites.map(\.id)
            var expected = model.ingest(batch, from: source, at: now, part: part)
            let report = try store.assumeIsolated { store in
                try store.ingest(batch, from: source, at: now, part: part)
            }
            // Within one batch, a favorite may be excluded and admitted again.
            let isUnchanged = model.shownFavorites.map(\.id) == favorites
            try verify(report.hasChangedFavorites || isUnchanged, "a changed favorite is not reported")
            expected.hasChangedFavorites = report.hasChangedFavorites
            try verify(report == expected, "\(report), not \(expected)")
        case .favorite(let id, let note):
            let expected = model.changeMarks { $0.favorite(id, note: note, at: now) }
            try expectKnown(expected != nil) {
                let favorite = try store.assumeIsolated { try $0.favorite(id, note: note, at: now) }
                try verify(favorite == expected, "\(favorite), not \(String(describing: expected))")
            }
        case .unfavorite(let id):
            try expectKnown(model.changeMarks { $0.unfavorite(id) }) { try store.unfavorite(id.rawValue) }
        case .setHidden(let isHidden, let id):
            try expectKnown(model.changeMarks { $0.setHidden(isHidden, id, at: now) }) {
                try store.assumeIsolated { store in try store.setHidden(isHidden, id, at: now) }
            }
        case .adopt(let rules):
            model.adopt(rules)
            try store.assumeIsolated { store in try store.adopt(rules) }
        case .forget(let source):
            let counts = try store.assumeIsolated { store in
                [try store.forget(source, at: now), try store.forget(source, at: now)]
            }
            try verify(counts == [model.forget(source), 0], "\(counts) jokes of \(source) were removed")
        case .importJokes(let jokes):
            model.importJokes(jokes, at: now)
            let records = jokes.map { joke in
                ExchangeRecord.joke(Joke(id: joke.id, content: joke.content, isFavorite: false, firstSeen: now))
            }
            try importRecords(records, at: now, store)
        case .importFavorites(let favorites):
            model.changeMarks { $0.importFavorites(favorites) }
            try importRecords(favorites.map(ExchangeRecord.favorite), at: now, store)
        case .undo:
            let isUndone = model.undo()
            let report = try store.assumeIsolated { store in try store.undo(at: now) }
            try verify((report.changedAt != nil) == isUndone, "the undo is \(report), not \(isUndone)")
        case .evict(let maxJokes):
            let kept = model.rows.filter { model.isFavorite($0) || model.isHidden($0) }
            try store.assumeIsolated { store in
                store.adopt(CacheLimits(maxJokes: maxJokes))
                while try !store.tidy(at: now).isLast {}
                store.adopt(CacheLimits())
            }
            let ids = Set(try inspector.prepare("SELECT id FROM jokes").map { row in try row.read(0, as: JokeID.self) })
            try verify(kept.allSatisfy { ids.contains($0.joke.id) }, "a favorite or a hidden joke was evicted")
            model.evict(keeping: ids)
        case .reopen: break
        }
    }

    private func importRecords(_ records: [ExchangeRecord], at now: Timestamp, _ store: JokeStore) throws {
        try store.assumeIsolated { store in
            try verify(try store.stage(records, ofImport: 1) == nil, "an import is refused")
            _ = try store.finishImport(1, at: now)
        }
    }

    private func expectKnown<Result>(_ isKnown: Bool, _ call: () throws -> Result) throws {
        do {
            _ = try call()
            try verify(isKnown, "an unknown ID was accepted")
        } catch let error as StoreError where error.code == .noSuchJoke {
            try verify(!isKnown && error.reason.hasPrefix("no joke has the ID '"), "refused: \(error)")
        }
    }

    private func compare(_ reader: JokeReader, _ model: Model) throws {
        let page = try reader.list(limit: 100)
        let expected = model.shown
        try verify(
            page.rows.map(\.id) == expected.map(\.joke.id), "\(page.rows.map(\.id)), not \(expected.map(\.joke.id))")
        try verify(page.total == expected.count, "total \(page.total)")
        try verify(page.rows.map(\.content) == expected.map(model.content(of:)), "the list has other contents")
        try verify(page.rows.map(\.isFavorite) == expected.map(model.isFavorite), "the list has other favorites")
        let english = expected.filter { model.content(of: $0).language.hasPrefix("en") }.map(\.joke.id.rawValue)
        try verify(try reader.shownIDs(JokeSelection(language: "en")) == english, "the list has other jokes in English")
        let favorites = try reader.favorites()
        try verify(favorites == model.shownFavorites, "favorites \(favorites), not \(model.shownFavorites)")
        let hidden = try reader.hiddenMarks(limit: 100).map { ($0.fingerprint, $0.hiddenAt) }
        try verify(Dictionary(uniqueKeysWithValues: hidden) == model.hidden, "hidden marks \(hidden)")
        for row in model.rows where model.isAdmitted(row) {
            let stored = try reader.joke(row.joke.id)
            try verify(stored?.joke.content == model.content(of: row), "\(row.joke.id) has other content")
            try verify(stored?.missingSince == row.missingSince, "\(row.joke.id) is missing since another time")
            let others = model.rows.filter {
                $0.joke.fingerprint == row.joke.fingerprint && $0.joke.id != row.joke.id && model.isAdmitted($0)
            }
            try verify(stored?.duplicates == others.map(\.joke.id), "\(row.joke.id) has other duplicates")
        }
        for id in model.rows.map(\.joke.id) + model.favorites.map(\.favorite.id) {
            try verify(try reader.joke(id)?.joke.content == model.content(of: id), "\(id) has other content")
            try verify(try reader.has(id), "\(id) does not exist")
        }
        let counts = try reader.counts()
        for source in Self.sources {
            let sourceCounts = counts.sources[source] ?? JokeCounts()
            try verify(
                sourceCounts.cached == model.rows.count { $0.source == source },
                "\(source) stores \(sourceCounts.cached)")
            try verify(
                sourceCounts.shown == expected.count { $0.source == source }, "\(source) shows \(sourceCounts.shown)")
            try verify(
                counts.removed.contains(source) == (sourceCounts.cached > 0 && model.isRemoved(source)),
                "\(source) has another removed state")
        }
        try verify(counts.favorites == model.shownFavorites.count, "\(counts.favorites) favorites")
        let excluded = model.favorites.count - model.shownFavorites.count
        try verify(counts.excludedFavorites == excluded, "\(counts.excludedFavorites) favorites are excluded")
        let ids = Set(model.rows.filter(model.isAdmitted).map(\.joke.id) + model.shownFavorites.map(\.id)).sorted()
        try verify(try reader.ids(withPrefix: "", limit: 1_000) == ids, "the IDs differ")
        try compareNotShown(reader, model, counts)
    }

    /// Compares the hidden jokes and the counts of jokes that are not shown.
    private func compareNotShown(_ reader: JokeReader, _ model: Model, _ counts: CacheCounts) throws {
        let page = try reader.hiddenJokes(limit: 100)
        let expected = model.hiddenJokeIDs
        try verify(page.rows.map(\.joke.id) == expected, "hidden jokes \(page.rows.map(\.joke.id)), not \(expected)")
        let marks = try reader.hiddenMarkCount()
        try verify(
            page.total == expected.count && marks == model.hidden.count,
            "\(page.total) hidden jokes of \(marks) hidden marks")
        try verify(counts.hidden == model.hidden.count, "\(counts.hidden) hidden marks")
        let read = try reader.sourceCounts()
        for source in Self.sources {
            let jokes = read[source] ?? JokeCounts()
            let ofSource = counts.sources[source] ?? JokeCounts()
            try verify(
                jokes.cached == ofSource.cached && jokes.shown == ofSource.shown, "\(source): \(jokes), \(ofSource)")
            let rows = model.rows.filter { $0.source == source }
            let admitted = rows.filter { model.isAdmitted($0) }
            try verify(jokes.filteredOut == rows.count - admitted.count, "\(source): \(jokes) are filtered out")
            try verify(jokes.hidden == admitted.count { model.isHidden($0) }, "\(source): \(jokes) are hidden")
            let sum = jokes.shown + jokes.filteredOut + jokes.hidden + jokes.duplicates
            try verify(jokes.cached == sum && jokes.evicted == ofSource.evicted, "\(source): \(jokes), \(ofSource)")
        }
    }

    /// Checks that only shown jokes are served.
    private func checkServed(_ store: JokeStore, _ model: Model) throws {
        let shown = Set(model.shown.map(\.joke.id))
        for joke in try (0..<3).compactMap({ _ in try store.served() }) {
            try verify(shown.contains(joke.id), "\(joke.id) is served, and is not shown")
            try verify(joke.content == model.content(of: joke.id), "\(joke.id) is served with other content")
        }
    }

    /// Compares the results of a random query with those of the model, and short pages with one long page.
    private func compareSearch(_ reader: JokeReader, _ model: Model, _ random: inout SplitMix64) throws {
        let words = (0..<random.int(in: 1..<3)).map { _ in
            let word = random.chance(1, in: 3) ? ["duck", "the", "quack"][random.int(in: 0..<3)] : randomWord(&random)
            return String(word)
        }
        var query = words
        query[query.count - 1] = String(words[words.count - 1].prefix(random.int(in: 1..<7)))
        let text = query.joined(separator: " ").uppercased()
        let all = try reader.search(text, limit: 100)
        try verify(Set(all.rows.map(\.joke.id)) == model.found(query), "\(text) finds \(all.rows.map(\.joke.id))")
        let areSame = all.rows.allSatisfy { $0.joke.content == model.content(of: $0.joke.id) }
        try verify(areSame, "\(text) finds other contents")
        try verify(
            all.total == all.rows.count && all.next == nil, "\(text) has a total of \(all.total)")
        var page = try reader.search(text, limit: 2)
        var paged = page.rows
        while let next = page.next {
            page = try reader.search(text, after: PageCursor(next.description), limit: 2)
            paged += page.rows
        }
        try verify(paged == all.rows, "\(text) in pages: \(paged.map(\.joke.id))")
    }
}
