import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// Collisions between the IDs of favorites and the IDs from import files, sources and damaged databases.
@Suite struct FavoriteIDTests {
    private static let texts = (0..<8).map { JokeText.single("Duck number \($0) crossed the road.") }

    /// All IDs of the test: the IDs that a source assigns, and the IDs that are derived from the texts.
    private static let ids = texts.indices.map { JokeID(source: "a", upstream: "\($0)") } + texts.map(derivedID)

    private static func derivedID(_ text: JokeText) -> JokeID {
        JokeID(source: "a", fingerprint: Fingerprint(of: text))
    }

    @Test("after any imports and batches, each text has its own ID, and each favorite keeps its ID")
    func collisions() throws {
        try checkProperty(
            "IDs of favorites", cases: 60, generate: { random, _ in UInt64.random(in: .min ... .max, using: &random) }
        ) { seed in
            var random = SplitMix64(seed: seed)
            let fixture = try Fixture()
            let store = try fixture.open()
            var expected = Set(Self.texts.filter { _ in random.chance(1, in: 2) })
            try importFavorites(Array(expected), to: store) { _ in Self.ids[0] }
            try shuffleIDs(fixture, &random)
            var favoriteIDs = try ids(in: store)
            for _ in 0..<6 {
                let texts = Self.texts.shuffled(using: &random).prefix(3)
                if random.chance(1, in: 2) {
                    try importFavorites(Array(texts), to: store) { _ in
                        Self.ids.randomElement(using: &random) ?? Self.ids[0]
                    }
                    expected.formUnion(texts)
                } else {
                    try store.ingest(
                        texts.map { text in
                            let id = random.chance(1, in: 4) ? "~" : "\(random.int(in: 0..<8))"
                            return try joke("a", id, text.setup)
                        })
                }
                let kept = try JokeReader(of: store).favorites()
                try verify(kept.count == expected.count, "\(kept.count) favorites of \(expected.count)")
                try verify(Set(kept.map(\.content.text)) == expected, "the texts are not those of the favorites")
                try verify(
                    kept.allSatisfy { $0.note == $0.content.text.setup }, "a note is not the text of its favorite")
                let now = try ids(in: store)
                try verify(
                    favoriteIDs.allSatisfy { text, id in now[text] == id }, "\(favoriteIDs) became \(now)")
                favoriteIDs = now
                try checkTables(Connection(path: fixture.databasePath, .init(access: .reading)))
            }
        }
    }

    private func importFavorites(_ texts: [JokeText], to store: JokeStore, id: (JokeText) -> JokeID) throws {
        let records = texts.map { text in
            ExchangeRecord.favorite(
                Favorite(
                    id: id(text), content: JokeContent(text: text, language: "en", safety: .safe),
                    favoritedAt: Fixture.now, note: text.setup))
        }
        try store.assumeIsolated { store in
            #expect(try store.stage(records, ofImport: 1) == nil)
            _ = try store.finishImport(1, at: Fixture.now)
        }
    }

    /// Gives each favorite a random ID, as a damaged database may have.
    private func shuffleIDs(_ fixture: Fixture, _ random: inout SplitMix64) throws {
        let editor = try Connection(path: fixture.databasePath, .init(access: .writing))
        let keys = try editor.prepare("SELECT key FROM favorites").map { row in try row.read(0, as: Int64.self) }
        try editor.write {
            try editor.execute("UPDATE favorites SET id = 'x:' || key")
            for (key, id) in zip(keys, Self.ids.shuffled(using: &random)) {
                try editor.prepare("UPDATE favorites SET id = ? WHERE key = ?").run(id.rawValue, key)
            }
        }
    }

    /// Returns the IDs of the favorites, by text.
    private func ids(in store: JokeStore) throws -> [JokeText: JokeID] {
        let favorites = try JokeReader(of: store).favorites()
        return Dictionary(uniqueKeysWithValues: favorites.map { ($0.content.text, $0.id) })
    }
}
