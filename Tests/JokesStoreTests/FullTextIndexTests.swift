import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The full-text index contains exactly the words of the shown jokes after any changes of the filters.
@Suite struct FullTextIndexTests {
    private static let languages = ["da", "de", "en", "es", "fr", "it", "nl", "sv"]

    /// Returns jokes of which no two share a word, so that posting lists are short. With short lists, `automerge`,
    /// which the schema turns off, leaves words of excluded jokes in the index.
    private func jokes() throws -> [NormalizedJoke] {
        try (0..<1_600).map { number in
            let words = (0..<12).map { position in "w\(position)x\(number * 7_919 % 10_007)" }
            return try joke(
                "a", "\(number)", words.joined(separator: " "), language: Self.languages[number % Self.languages.count])
        }
    }

    private func rules(_ languages: [String]) -> DisplayRules {
        DisplayRules(sourceOrder: ["a"], filter: JokeFilter(safe: false, languages: languages))
    }

    @Test(
        "if filters exclude and admit jokes between merges of the index, the index has no extra words",
        arguments: 0..<scaled(4))
    func filterChanges(_ round: Int) throws {
        let seed = testSeed &+ UInt64(round)
        var random = SplitMix64(seed: seed)
        let fixture = try Fixture()
        let store = try fixture.open(rules: rules(Self.languages))
        let inspector = try Connection(path: fixture.databasePath, access: .writing, tokenizer: Schema.tokenizer)
        for batch in try jokes().slices(of: 200) { try store.ingest(batch) }
        for change in 0..<scaled(80) {
            let languages = Self.languages.filter { _ in random.chance(3, in: 4) }
            try store.assumeIsolated { store in try store.adopt(rules(languages.isEmpty ? ["en"] : languages)) }
            guard random.chance(1, in: 2) else { continue }
            try store.assumeIsolated { store in
                for _ in 0..<random.int(in: 1..<12) where try store.tidy(at: Fixture.now).isLast { break }
            }
            #expect(throws: Never.self, "seed \(seed), change \(change)") {
                try inspector.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
            }
        }
    }
}
