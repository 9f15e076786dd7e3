import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// An id names one joke, whatever ids came out of files, from sources and through damage.
@Suite struct FavoriteIDTests {
    private static let texts = (0..<8).map { JokeText.single("Duck number \($0) crossed the road.") }

    /// Every id that is in play: those of a source, and those that follow from the texts.
    private static let ids = texts.indices.map { JokeID(source: "a", upstream: "\($0)") } + texts.map(idOfText)

    private static func fingerprint(_ text: JokeText) -> Fingerprint {
        Fingerprint(of: text)
    }

    private static func idOfText(_ text: JokeText) -> JokeID {
        JokeID(source: "a", fingerprint: fingerprint(text))
    }

    @Test("whatever ids the favorites have, what a file or a source brings is taken, and no id means two texts")
    func collisions() throws {
        try checkLaw(
            "ids", cases: 60, generate: { random, _ in UInt64.random(in: .min ... .max, using: &random) }
        ) { seed in
            var random = SplitMix64(seed: seed)
            let fixture = try Fixture()
            let store = try fixture.open()
            var expected = Set(Self.texts.filter { _ in random.chance(1, in: 2) })
            try bring(Array(expected), to: store) { _ in Self.ids[0] }
            try mixIDs(fixture, &random)
            for _ in 0..<6 {
                let told = Self.texts.shuffled(using: &random).prefix(3)
                if random.chance(1, in: 2) {
                    try bring(Array(told), to: store) { _ in Self.ids.randomElement(using: &random) ?? Self.ids[0] }
                    expected.formUnion(told)
                } else {
                    try store.take(
                        told.map { text in
                            let id = random.chance(1, in: 4) ? "~" : "\(random.int(in: 0..<8))"
                            return try joke("a", id, text.setup)
                        })
                }
                let kept = try JokeReader(of: store).favorites()
                try hold(kept.count == expected.count, "\(kept.count) favorites of \(expected.count)")
                try hold(Set(kept.map(\.content.text)) == expected, "each text is there")
                try hold(kept.allSatisfy { $0.note == $0.content.text.setup }, "each has its note")
                try holdIDs(fixture)
            }
        }
    }

    private func bring(_ texts: [JokeText], to store: JokeStore, id: (JokeText) -> JokeID) throws {
        let brought = texts.map { text in
            Keepsake.favorite(
                Favorite(
                    id: id(text), content: JokeContent(text: text, language: "en", safety: .safe),
                    favoritedAt: Fixture.noon, note: text.setup))
        }
        try store.assumeIsolated { store in
            #expect(try store.layAside(brought, ofImport: 1) == nil)
            _ = try store.finishImport(1, of: brought.count, at: Fixture.noon)
        }
    }

    /// Gives each favorite any id, as damage may.
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

    private func holdIDs(_ fixture: Fixture) throws {
        let inspector = try Connection(path: fixture.databasePath, .init(access: .reading))
        let fault = """
            SELECT f.id FROM favorites f JOIN jokes j ON j.id = f.id JOIN groups g ON g.key = j.joke_group
            WHERE g.fingerprint <> f.fingerprint
            """
        let shared = try inspector.prepare(fault).map { row in try row.read(0, as: String.self) }
        try hold(shared.isEmpty, "\(shared) mean two texts")
    }
}
