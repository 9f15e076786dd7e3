import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// An ID names one joke, whatever IDs come from files, from sources and from damage.
@Suite struct FavoriteIDTests {
    private static let texts = (0..<8).map { JokeText.single("Duck number \($0) crossed the road.") }

    /// All IDs of the test: those of a source, and those that follow from the texts.
    private static let ids = texts.indices.map { JokeID(source: "a", upstream: "\($0)") } + texts.map(idFromText)

    private static func fingerprint(_ text: JokeText) -> Fingerprint {
        Fingerprint(of: text)
    }

    private static func idFromText(_ text: JokeText) -> JokeID {
        JokeID(source: "a", fingerprint: fingerprint(text))
    }

    @Test("any file and any batch is stored, no ID belongs to two texts, and no favorite gets another ID")
    func collisions() throws {
        try checkProperty(
            "ids", cases: 60, generate: { random, _ in UInt64.random(in: .min ... .max, using: &random) }
        ) { seed in
            var random = SplitMix64(seed: seed)
            let fixture = try Fixture()
            let store = try fixture.open()
            var expected = Set(Self.texts.filter { _ in random.chance(1, in: 2) })
            try bring(Array(expected), to: store) { _ in Self.ids[0] }
            try mixIDs(fixture, &random)
            var ids = try self.ids(store)
            for _ in 0..<6 {
                let reported = Self.texts.shuffled(using: &random).prefix(3)
                if random.chance(1, in: 2) {
                    try bring(Array(reported), to: store) { _ in Self.ids.randomElement(using: &random) ?? Self.ids[0] }
                    expected.formUnion(reported)
                } else {
                    try store.take(
                        reported.map { text in
                            let id = random.chance(1, in: 4) ? "~" : "\(random.int(in: 0..<8))"
                            return try joke("a", id, text.setup)
                        })
                }
                let kept = try JokeReader(of: store).favorites()
                try hold(kept.count == expected.count, "\(kept.count) favorites of \(expected.count)")
                try hold(Set(kept.map(\.content.text)) == expected, "each text is there")
                try hold(kept.allSatisfy { $0.note == $0.content.text.setup }, "each has its note")
                let now = try self.ids(store)
                try hold(ids.allSatisfy { text, id in now[text] == id }, "\(ids) became \(now)")
                ids = now
                try checkTables(Connection(path: fixture.databasePath, .init(access: .reading)))
            }
        }
    }

    private func bring(_ texts: [JokeText], to store: JokeStore, id: (JokeText) -> JokeID) throws {
        let brought = texts.map { text in
            ExchangeRecord.favorite(
                Favorite(
                    id: id(text), content: JokeContent(text: text, language: "en", safety: .safe),
                    favoritedAt: Fixture.noon, note: text.setup))
        }
        try store.assumeIsolated { store in
            #expect(try store.stage(brought, ofImport: 1) == nil)
            _ = try store.finishImport(1, of: brought.count, at: Fixture.noon)
        }
    }

    /// Gives each favorite a random ID, as damage may do.
    private func mixIDs(_ fixture: Fixture, _ random: inout SplitMix64) throws {
        let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
        let keys = try vandal.prepare("SELECT key FROM favorites").map { row in try row.read(0, as: Int64.self) }
        try vandal.write {
            try vandal.execute("UPDATE favorites SET id = 'x:' || key")
            for (key, id) in zip(keys, Self.ids.shuffled(using: &random)) {
                try vandal.prepare("UPDATE favorites SET id = ? WHERE key = ?").run(id.rawValue, key)
            }
        }
    }

    /// The IDs of the favorites, by their texts.
    private func ids(_ store: JokeStore) throws -> [JokeText: JokeID] {
        let favorites = try JokeReader(of: store).favorites()
        return Dictionary(uniqueKeysWithValues: favorites.map { ($0.content.text, $0.id) })
    }
}
