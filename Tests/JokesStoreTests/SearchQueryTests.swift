import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The syntax of a query, the highlights in its results, and cursors.
@Suite final class SearchQueryTests: StoreTestCase {
    private func found(_ query: String) throws -> [String] {
        try reader.search(query, limit: 100).rows.map(\.joke.id.rawValue).sorted()
    }

    @Test(
        "a query has words, phrases, exclusions, prefixes and alternatives",
        arguments: [
            ("duck goose", ["a:1", "a:2"]), ("\"duck goose\"", ["a:2"]), ("\"goose duck\"", ["a:1"]),
            ("\"duck goo", ["a:2"]), ("\"duck goo\"", []), ("\"duck goo\"*", ["a:2"]),
            ("goose -duckling", ["a:1", "a:2"]),
            ("goose -swan", ["a:1"]), ("goose -\"a swan\"", ["a:1"]), ("goose -\"swan a\"", ["a:1", "a:2"]),
            ("-swan goose", ["a:1"]), ("swan -goose", ["a:3"]), ("-goose", []), ("-", []), ("duckl", ["a:3"]),
            ("du* swan", ["a:2", "a:3"]), ("du swan", []), ("du", ["a:1", "a:2", "a:3"]), ("du ", []),
            ("swan -duckl*", ["a:2"]), ("swan -duckl", ["a:2", "a:3"]), ("duck-goose", ["a:2"]),
            ("goose-duck", ["a:1"]), ("duckl -goose -cat", ["a:3"]), ("\"duckl\" -goose", []),
            ("duckl OR -goose", ["a:3"]), (String(repeating: "duck ", count: 31) + "OR goose", ["a:1", "a:2"]),
            ("\"duck\" \"goose", ["a:1", "a:2"]), ("duck -", ["a:1", "a:2", "a:3"]), ("duck \"\"", ["a:1", "a:2"]),
            ("duck\"goose", ["a:1", "a:2"]), ("goose OR swan", ["a:1", "a:2", "a:3"]),
            ("duckling OR goose swan", ["a:2", "a:3"]), ("OR swan", []), ("swan OR ", []), ("\"OR\" swan", []),
            ("swan OR", ["a:3"]), ("du OR", []), ("swan \"OR", ["a:3"]),
            ("goose OR swan -duckling", ["a:1", "a:2"]), ("goose or swan", []),
            ("duck \"\u{301}goose", ["a:1", "a:2"]), ("\"swan duckling\"", []),
        ])
    func matches(query: String, ids: [String]) throws {
        try store.ingest([
            joke("a", "1", "The goose duck."), joke("a", "2", "A duck, goose;", "and a swan."),
            joke("a", "3", "The orange swan.", "The duckling."),
        ])
        #expect(try found(query) == ids)
    }

    @Test(
        "a math or currency symbol, #, @, % or & in a term is a word",
        arguments: [
            ("c++", ["a:1"]), ("c#", ["a:2"]), ("c", ["a:1", "a:2", "a:3", "a:4"]), ("C++ duck", ["a:1"]),
            ("c+", ["a:1"]), ("\"c++\"", ["a:1"]), ("100%", ["a:3"]), ("100%*", ["a:3"]), ("#1", ["a:4"]),
            ("c_", ["a:1", "a:2", "a:3", "a:4"]),
            ("c.", ["a:1", "a:2", "a:3", "a:4"]), ("c++ c#", []), ("+", ["a:1"]),
            ("c++ OR c#", ["a:1", "a:2"]), ("cats OR c++", ["a:1", "a:4"]), ("100% OR cats c#", []),
            ("100% duck OR cats", ["a:3"]), ("c++ -duck", []), ("duck -c++ ", ["a:2", "a:3"]), ("+ +", ["a:1"]),
        ])
    func symbols(query: String, ids: [String]) throws {
        try store.ingest([
            joke("a", "1", "A duck in C++."), joke("a", "2", "A duck in C#."), joke("a", "3", "C is 100% duck, 100 c."),
            joke("a", "4", "Our #1: cats, c."),
        ])
        #expect(try found(query) == ids)
    }

    @Test("a joke that has a word a thousand times has sixteen highlights")
    func manyHighlights() throws {
        try store.ingest([joke("a", "1", String(repeating: "duck ", count: 1_000))])
        let row = try #require(try reader.search("duck", limit: 1).rows.first)
        #expect(row.marks.count == FoundJoke.maxMarks)
        #expect(row.joke.content.text[row.snippet]?.hasPrefix("duck duck") == true)
    }

    @Test("a text with the delimiters that the store passes to highlight() is found, and its highlights are valid")
    func controlCharacters() throws {
        try store.ingest([joke("a", "1", "A duck."), joke("a", "2", "A goose and a duck.")])
        let editor = try Connection(path: fixture.databasePath, access: .writing)
        try editor.execute("UPDATE jokes SET setup = char(2) || 'é' || char(1) || char(1) || 'duck' WHERE id = 'a:1'")
        let page = try reader.search("duck", limit: 1)
        #expect(page.rows.map(\.joke.id.rawValue) == ["a:1"])
        for row in page.rows { #expect(row.marks.allSatisfy { row.joke.content.text[$0] != nil }) }
        #expect(try PageCursor(#require(page.next).description) == page.next)
        #expect(try reader.search("duck", after: page.next, limit: 1).rows.map(\.joke.id.rawValue) == ["a:2"])
    }

    @Test("a cursor is parsed from its description, and from no malformed text")
    func cursorDescriptions() throws {
        try store.ingest(jokes(0..<5))
        let next = try #require(try reader.search("duck", limit: 2).next)
        #expect(PageCursor(next.description) == next)
        #expect(PageCursor("s9.7")?.description == "s9.7" && PageCursor("f5.9.7")?.description == "f5.9.7")
        for text in [
            "", "s", "s9", "s9.7.5", "f9.7", "s0.7", "s-1.7", "s9.0", "s09.7", "s9..7", "s9.+7",
            "s9.9223372036854775808",
            "x9.7", "sa.b",
        ] {
            #expect(PageCursor(text) == nil, "\(text)")
        }
    }

    @Test("matches, their highlights and their order are those of a linear search")
    func equalsLinearSearch() throws {
        var random = SplitMix64(seed: testSeed)
        let parts = ["duck", "Duck", "du", "fox", "FOX", "a", "swan", "9", " ", " ", " ", ", ", "-", "…", "é"]
        func randomText(_ size: Int) -> String {
            (0..<size).map { _ in parts[random.int(in: 0..<parts.count)] }.joined()
        }
        try store.ingest(
            (0..<150).compactMap { number in
                try? joke("a", "\(number)", randomText(1 + number % 16), number % 2 == 0 ? randomText(6) : nil)
            })
        let shown = try reader.list(limit: 1_000).rows
        let terms = [
            "duck", "du", "FOX", "a", "swan", "duck-fox", "du*", "é*", "\"fox a\"", "\"a du\"*", "\"a swan a\"",
        ]
        for _ in 0..<scaled(600) {
            let wanted = (0..<random.int(in: 1..<4)).map { _ in terms[random.int(in: 0..<terms.count)] }
            let unwanted = random.chance(1, in: 3) ? terms[random.int(in: 0..<terms.count)] : nil
            let isUnwantedLast = unwanted != nil && random.chance(1, in: 2)
            // A last wanted word before an exclusion is a prefix, unless it is in quotes.
            let last = wanted[wanted.count - 1]
            let isPrefix = isUnwantedLast && !last.hasPrefix("\"") && !last.hasSuffix("*")
            let meant = wanted.dropLast() + [last + (isPrefix ? "*" : "")]
            let matches = shown.compactMap { joke -> FoundJoke? in
                let text = SearchedText(joke.content.text)
                if let unwanted, text.contains(unwanted) { return nil }
                guard meant.allSatisfy(text.contains) else { return nil }
                return FoundJoke(joke: joke, marks: text.highlights(Array(meant)))
            }
            let exclusion = unwanted.map { ["-" + $0] } ?? []
            let query = (isUnwantedLast ? wanted + exclusion : exclusion + wanted).joined(separator: " ") + " "
            #expect(
                try reader.search(query, limit: 150).rows == matches,
                "JOKESD_TEST_SEED=\(testSeed): \(query)")
        }
    }
}

/// The words of a joke, for the linear search.
private struct SearchedText {
    private var words: [TextRange.Part: [(word: String, bytes: Range<Int>)]] = [:]

    init(_ text: JokeText) {
        for part in TextRange.Part.allCases {
            words[part] = Self.words(of: text[part])
        }
    }

    private static func words(of text: String) -> [(word: String, bytes: Range<Int>)] {
        text.split { !$0.isLetter && !$0.isNumber }.map { word in
            let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
            return (word.lowercased().replacing("é", with: "e"), start..<start + word.utf8.count)
        }
    }

    func contains(_ term: String) -> Bool {
        !highlights([term]).isEmpty
    }

    func highlights(_ terms: [String]) -> [TextRange] {
        TextRange.Part.allCases.flatMap { part in
            let words = words[part] ?? []
            var ranges: [Range<Int>] = []
            for start in words.indices {
                let ends = terms.compactMap { Self.end(of: $0, in: words.map(\.word), from: start) }
                guard let end = ends.max() else { continue }
                if let last = ranges.last, start < last.upperBound {
                    ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
                } else {
                    ranges.append(start..<end)
                }
            }
            return ranges.map {
                TextRange(part, words[$0.lowerBound].bytes.lowerBound..<words[$0.upperBound - 1].bytes.upperBound)
            }
        }
    }

    /// Returns the end of the term if it begins at this word.
    private static func end(of term: String, in words: [String], from start: Int) -> Int? {
        let wanted = Self.words(of: term).map(\.word)
        guard let last = wanted.last, start + wanted.count <= words.count else { return nil }
        let found = words[start..<start + wanted.count]
        let isMatch =
            found.dropLast().elementsEqual(wanted.dropLast())
            && (term.hasSuffix("*") ? found.last?.hasPrefix(last) == true : found.last == last)
        return isMatch ? start + wanted.count : nil
    }
}
