import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

@Suite struct ModelTests {
    private enum Step: Sendable {
        case ingest([NormalizedJoke], from: String, SweepPart)
        case favorite(JokeID)
        case unfavorite(JokeID)
        case hide(Bool, JokeID)
        case adopt(ShowingRules)
        case reopen
    }

    private static let sources = ["a", "b", "c"]
    private static let parts: [SweepPart] = [.outside, .beginning, .inside, .end, .whole]

    @Test("whatever is done in whatever order, the store shows what a plain model of its promises shows")
    func storeEqualsModel() throws {
        let fixture = try Fixture()
        var random = SplitMix64(seed: testSeed)
        var model = Model(rules: .everything("a", "b", "c"))
        var store = try fixture.open(rules: model.rules)
        var reader = try JokeReader(of: store)
        let inspector = try Connection(path: fixture.databasePath, .init(access: .reading))
        for number in 0..<2_000 {
            let step = try step(model, &random)
            do {
                if case .reopen = step {
                    store = try fixture.open(rules: model.rules)
                    reader = try JokeReader(of: store)
                } else {
                    try take(step, store, &model)
                }
                try compare(reader, model)
                try checkTables(inspector)
            } catch {
                try hold(false, "JOKESD_TEST_SEED=\(testSeed) repeats it; step \(number), \(step): \(error)")
            }
        }
        #expect(try inspector.prepare("PRAGMA integrity_check").map { row in try row.read(0) } == ["ok"])
    }

    private func checkTables(_ inspector: Connection) throws {
        for fault in [
            "SELECT 1 FROM pragma_foreign_key_check",
            "SELECT 1 FROM groups WHERE key NOT IN (SELECT joke_group FROM jokes)",
            "SELECT 1 FROM joke_categories WHERE joke NOT IN (SELECT key FROM jokes)",
        ] {
            try hold(try inspector.prepare(fault).map { _ in true }.isEmpty, fault)
        }
    }

    private func step(_ model: Model, _ random: inout SplitMix64) throws -> Step {
        let id = anyID(model, &random)
        switch random.int(in: 0..<16) {
        case 0..<8:
            let source = Self.sources[random.int(in: 0..<3)]
            let batch = try (0..<random.int(in: 0..<6)).map { _ in try anyJoke(of: source, &random) }
            return .ingest(batch, from: source, Self.parts[random.int(in: 0..<Self.parts.count)])
        case 8..<11: return .favorite(id)
        case 11, 12: return .unfavorite(id)
        case 13: return .hide(random.chance(1, in: 3), id)
        case 14:
            var rules = ShowingRules.everything()
            rules.sourceOrder = Array(Self.sources.shuffled(using: &random).prefix(random.int(in: 0..<4)))
            rules.filter.safe = random.chance(1, in: 2)
            return .adopt(rules)
        default: return .reopen
        }
    }

    /// Few ids and fewer texts, so that they meet.
    private func anyJoke(of source: String, _ random: inout SplitMix64) throws -> NormalizedJoke {
        let id = random.chance(1, in: 4) ? "~" : "\(random.int(in: 0..<5))"
        let text = "The \(["first", "second", "third", "fourth", "fifth", "sixth"][random.int(in: 0..<6)]) duck"
        let flags = random.chance(1, in: 4) ? ["nsfw"] : []
        return try joke(source, id, random.chance(1, in: 3) ? text + "!" : text, flags: flags)
    }

    private func anyID(_ model: Model, _ random: inout SplitMix64) -> JokeID {
        let known = model.rows.map(\.joke.id) + model.favorites.map(\.id)
        return random.chance(1, in: 12)
            ? JokeID(rawValue: "a:x") : known.randomElement(using: &random) ?? JokeID(rawValue: "a:0")
    }

    private func take(_ step: Step, _ store: JokeStore, _ model: inout Model) throws {
        switch step {
        case .ingest(let batch, let source, let part):
            let expected = model.ingest(batch, from: source, part: part)
            let report = try store.take(batch, from: source, part: part)
            try hold(report == expected, "\(report), not \(expected)")
        case .favorite(let id):
            try expectKnown(model.favorite(id)) { try store.star(id.rawValue) }
        case .unfavorite(let id):
            try expectKnown(model.unfavorite(id)) { try store.unstar(id.rawValue) }
        case .hide(let isHidden, let id):
            try expectKnown(model.setHidden(isHidden, id)) {
                try store.assumeIsolated { store in try store.setHidden(isHidden, id, at: Fixture.noon) }
            }
        case .adopt(let rules):
            model.rules = rules
            try store.assumeIsolated { store in try store.adopt(rules) }
        case .reopen: break
        }
    }

    private func expectKnown<Result>(_ isKnown: Bool, _ call: () throws -> Result) throws {
        do {
            _ = try call()
            try hold(isKnown, "an unknown id was taken")
        } catch let error as StoreError where error.code == .noSuchJoke {
            try hold(!isKnown, "a known id was refused")
        }
    }

    private func compare(_ reader: JokeReader, _ model: Model) throws {
        let page = try reader.list(limit: 100)
        let expected = model.shown
        try hold(
            page.rows.map(\.id) == expected.map(\.joke.id), "\(page.rows.map(\.id)), not \(expected.map(\.joke.id))")
        try hold(page.total == expected.count, "total \(page.total)")
        try hold(page.rows.map(\.content) == expected.map(\.joke.content), "shows other content")
        try hold(page.rows.map(\.isStarred) == expected.map(model.isStarred), "shows other stars")
        let favorites = try reader.favorites()
        try hold(favorites.map(\.id) == model.favorites.reversed().map(\.id), "favorites \(favorites.map(\.id))")
        try hold(favorites.map(\.content) == model.favorites.reversed().map(\.content), "favorites have other content")
        for row in model.rows {
            let stored = try reader.joke(row.joke.id)
            try hold(stored?.joke.content == row.joke.content, "\(row.joke.id) has other content")
            try hold((stored?.missingSince != nil) == row.isMissing, "\(row.joke.id) is missing, or is not")
            let others = model.rows.filter { $0.joke.fingerprint == row.joke.fingerprint && $0.joke.id != row.joke.id }
                .map(\.joke.id)
            try hold(stored?.duplicates == others, "\(row.joke.id) has other tellings")
        }
        let counts = try reader.counts()
        for source in Self.sources {
            let of = counts.sources[source] ?? .init(stored: 0, shown: 0)
            try hold(of.stored == model.rows.count { $0.source == source }, "\(source) stores \(of.stored)")
            try hold(of.shown == expected.count { $0.source == source }, "\(source) shows \(of.shown)")
        }
        let ids = Set(model.rows.map(\.joke.id) + model.favorites.map(\.id)).sorted()
        try hold(try reader.ids(withPrefix: "", limit: 1_000) == ids, "other ids")
    }
}
