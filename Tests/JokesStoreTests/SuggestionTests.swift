import JokesCore
import TestSupport
import Testing

@testable import JokesStore

/// Completions of a word that a user types.
@Suite struct SuggestionTests {
    private struct Case {
        var words: [String]
        let prefix: String
        let limit: Int
    }

    /// Words of few letters, so that many begin alike.
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

    private static func common(_ words: [String]) -> String {
        guard var common = words.first else { return "" }
        while !words.allSatisfy({ $0.hasPrefix(common) }) { common.removeLast() }
        return common
    }

    @Test("a list that is too long becomes prefixes of its words, which have no more in common than the words")
    func beginnings() throws {
        try checkProperty("beginnings", cases: 5_000, generate: Self.randomCase) { given in
            let meant = given.words.filter { $0.hasPrefix(given.prefix) }
            let reported = Completions(limit: given.limit).words(beginningWith: given.prefix) { from, end, count in
                Array(given.words.filter { $0 >= from && $0 < end }.prefix(count))
            }
            if meant.count <= given.limit { return try hold(reported == meant, "all of a short list: \(reported)") }
            try hold(reported.count <= given.limit, "no more than asked for: \(reported)")
            try hold(
                Set(reported).count == reported.count && reported == reported.sorted(),
                "each once, in order: \(reported)")
            try hold(
                reported.allSatisfy { $0.hasPrefix(given.prefix) && $0 != given.prefix || meant.contains($0) }, "longer"
            )
            guard !reported.isEmpty else {
                return try hold(Self.common(meant) == given.prefix, "none, but they go on alike")
            }
            for word in meant {
                try hold(reported.contains { word.hasPrefix($0) }, "\(word) is not covered by \(reported)")
            }
            for word in reported { try hold(meant.contains { $0.hasPrefix(word) }, "nothing begins with \(word)") }
            try hold(
                Self.common(reported) == Self.common(meant), "\(reported) have something else in common than \(meant)")
        }
    }

    @Test("shown, favorite and hidden IDs are completed: source names first, then letters")
    func ids() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.take(try jokes(0..<30), from: "a")
        try store.take(
            [joke("b", "x-1", "Why did duck a3 cross?", "Side 3."), joke("b", "x-2", "A goose.")], from: "b")
        #expect(try reader.completions(ofIDs: .shown, "", limit: 40).count == 31)
        #expect(try reader.completions(ofIDs: .shown, "", limit: 9) == ["a:", "b:"])
        #expect(try reader.completions(ofIDs: .shown, "a", limit: 10) == (0...9).map { "a:\($0)" })
        #expect(try reader.completions(ofIDs: .shown, "a:2", limit: 11) == ["a:2"] + (20...29).map { "a:\($0)" })
        // A duplicate is shown in its place.
        #expect(try reader.completions(ofIDs: .shown, "b:x-", limit: 10) == ["b:x-2"])
        #expect(try reader.completions(ofIDs: .shown, "c", limit: 10) == [])
        #expect(try reader.completions(ofIDs: .favorites, "", limit: 10) == [])
        try store.star("a:7")
        #expect(try reader.completions(ofIDs: .favorites, "a", limit: 10) == ["a:7"])
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == [])
        for id in ["a:12", "a:3"] {
            _ = try store.assumeIsolated { try $0.setHidden(true, JokeID(rawValue: id), at: Fixture.noon) }
        }
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == ["a:12", "a:3", "b:x-1"])
        #expect(try reader.completions(ofIDs: .hidden, "a:1", limit: 10) == ["a:12"])
        #expect(try reader.completions(ofIDs: .shown, "a:12", limit: 10) == [])
    }

    @Test("categories and languages of shown jokes are completed, categories in any case")
    func names() throws {
        let fixture = try Fixture()
        let store = try fixture.open(
            rules: DisplayRules(sourceOrder: ["a"], filter: JokeFilter(safe: false, languages: ["en", "de", "pt"])))
        let reader = try JokeReader(of: store)
        try store.take([
            joke("a", "1", "One.", categories: ["Programming", "Pun"]),
            joke("a", "2", "Two.", categories: ["programming"]),
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
