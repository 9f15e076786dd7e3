import JokesCore
import TestSupport
import Testing

@testable import JokesStore

/// Completions of a word that a user types.
@Suite struct CompletionTests {
    /// A sorted list of words, and a request for completions.
    private struct Case {
        var words: [String]
        let prefix: String
        let limit: Int
    }

    /// Returns a case whose words have few different letters, so that many words share a prefix.
    private static func randomCase(_ random: inout SplitMix64, _ size: Int) -> Case {
        let letters: [Character] = ["a", "b", ":", "1", "2"]
        let word = { (random: inout SplitMix64, length: Int) in
            String((0..<random.int(in: 0..<length)).map { _ in letters[random.int(in: 0..<letters.count)] })
        }
        let words = Set((0..<size * 4).map { _ in "a" + word(&random, 8) })
        return Case(
            words: words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            prefix: random.chance(1, in: 4) ? "" : "a" + word(&random, 3), limit: random.int(in: 1..<12))
    }

    private static func longestCommonPrefix(_ words: [String]) -> String {
        guard var prefix = words.first else { return "" }
        while !words.allSatisfy({ $0.hasPrefix(prefix) }) { prefix.removeLast() }
        return prefix
    }

    @Test(
        "if more words match than the limit, each begins with a completion; completions and words have the same common prefix"
    )
    func commonPrefixes() throws {
        try checkProperty("completions of random words", cases: 5_000, generate: Self.randomCase) { testCase in
            let (prefix, limit) = (testCase.prefix, testCase.limit)
            let matching = testCase.words.filter { $0.hasPrefix(prefix) }
            let completions = Completions(limit: limit).words(beginningWith: prefix) { from, end, count in
                Array(testCase.words.filter { $0 >= from && $0 < end }.prefix(count))
            }
            if matching.count <= limit {
                return try verify(completions == matching, "\(completions) are not all words: \(matching)")
            }
            try verify(completions.count <= limit, "there are more than \(limit) completions: \(completions)")
            try verify(
                Set(completions).count == completions.count && completions == completions.sorted(),
                "the completions repeat or are not sorted: \(completions)")
            try verify(
                completions.allSatisfy { $0.hasPrefix(prefix) && $0 != prefix || matching.contains($0) },
                "a completion does not extend the prefix '\(prefix)': \(completions)")
            guard !completions.isEmpty else {
                return try verify(
                    Self.longestCommonPrefix(matching) == prefix, "no completions, but the words share a longer prefix")
            }
            for word in matching {
                try verify(completions.contains { word.hasPrefix($0) }, "no prefix of \(word) is in \(completions)")
            }
            for word in completions {
                try verify(matching.contains { $0.hasPrefix(word) }, "nothing begins with \(word)")
            }
            try verify(
                Self.longestCommonPrefix(completions) == Self.longestCommonPrefix(matching),
                "\(completions) share another prefix than \(matching)")
        }
    }

    @Test("IDs of shown, favorite and hidden jokes are completed: first by source name, then by character")
    func completedIDs() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.ingest(try jokes(0..<30), from: "a")
        try store.ingest(
            [joke("b", "x-1", "Why did duck a3 cross?", "Side 3."), joke("b", "x-2", "A goose.")], from: "b")
        #expect(try reader.completions(ofIDs: .shown, "", limit: 40).count == 31)
        #expect(try reader.completions(ofIDs: .shown, "", limit: 9) == ["a:", "b:"])
        #expect(try reader.completions(ofIDs: .shown, "a", limit: 10) == (0...9).map { "a:\($0)" })
        #expect(try reader.completions(ofIDs: .shown, "a:2", limit: 11) == ["a:2"] + (20...29).map { "a:\($0)" })
        // The joke b:x-1 is not shown: its duplicate a:3 is.
        #expect(try reader.completions(ofIDs: .shown, "b:x-", limit: 10) == ["b:x-2"])
        #expect(try reader.completions(ofIDs: .shown, "c", limit: 10) == [])
        #expect(try reader.completions(ofIDs: .favorites, "", limit: 10) == [])
        try store.favorite("a:7")
        #expect(try reader.completions(ofIDs: .favorites, "a", limit: 10) == ["a:7"])
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == [])
        for id in ["a:12", "a:3"] { try store.hide(id) }
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == ["a:12", "a:3", "b:x-1"])
        #expect(try reader.completions(ofIDs: .hidden, "a:1", limit: 10) == ["a:12"])
        #expect(try reader.completions(ofIDs: .shown, "a:12", limit: 10) == [])
    }

    @Test("categories and languages of shown jokes are completed, in any case")
    func completedCategoriesAndLanguages() throws {
        let fixture = try Fixture()
        let store = try fixture.open(
            rules: DisplayRules(sourceOrder: ["a"], filter: JokeFilter(safe: false, languages: ["en", "de", "pt"])))
        let reader = try JokeReader(of: store)
        try store.ingest([
            joke("a", "2", "Two.", categories: ["programming"]),
            joke("a", "1", "One.", categories: ["Programming", "Pun"]),
            joke("a", "3", "Three.", categories: ["Misc"], language: "pt-BR"),
            joke("a", "4", "Vier.", categories: ["Spott"], language: "fr"),
        ])
        #expect(try reader.categories(beginningWith: "", limit: 9) == ["Misc", "Programming", "Pun"])
        #expect(try reader.categories(beginningWith: "p", limit: 9) == ["Programming", "Pun"])
        #expect(try reader.categories(beginningWith: "P", limit: 1) == ["Programming"])
        #expect(try reader.categories(beginningWith: "Sp", limit: 9) == [])
        #expect(try reader.languages(beginningWith: "", limit: 9) == ["en", "pt-br"])
        #expect(try reader.languages(beginningWith: "PT", limit: 9) == ["pt-br"])
    }
}
