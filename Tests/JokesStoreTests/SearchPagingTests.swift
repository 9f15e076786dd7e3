import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The pages of a search while jokes are added, removed and edited.
@Suite final class SearchPagingTests: StoreTestCase {
    private static let count = 700
    private static let words = ["duck", "goose", "swan", "the", "fox", "ducks", "and", "owl"]

    private static func text(_ number: Int, _ random: inout SplitMix64) -> String {
        let words = (0..<random.int(in: 2..<9)).map { _ in Self.words[random.int(in: 0..<Self.words.count)] }
        return "The \(words.joined(separator: " ")) \(number)"
    }

    /// Returns the IDs and the totals of all pages of a search. Calls `between` after each page but the last.
    private func allPages(
        _ query: String, limit: Int, between: () throws -> Void = {}
    ) throws -> (ids: [String], totals: Set<Int>) {
        var page = try reader.search(query, limit: limit)
        var ids = page.rows.map(\.joke.id.rawValue)
        var totals: Set = [page.total]
        while let cursor = page.next {
            try between()
            page = try reader.search(query, after: PageCursor(cursor.description), limit: limit)
            ids += page.rows.map(\.joke.id.rawValue)
            totals.insert(page.total)
        }
        return (ids, totals)
    }

    @Test(
        "a joke that stays and matches is on exactly one page while jokes are added, removed or edited",
        arguments: ["duck", "du", "duck goose", "\"the fox\" du", "the -swan", "the 1 th*"])
    func changesBetweenPages(query: String) throws {
        var random = SplitMix64(seed: testSeed)
        try store.ingest((0..<Self.count).map { try joke("a", "\($0)", Self.text($0, &random)) })
        let before = try allPages(query, limit: 100).ids
        var unchanged = Set(before)
        let (found, totals) = try allPages(query, limit: 37) {
            try changeRandomJokes(&random)
            unchanged.formIntersection(try reader.search(query, limit: 100_000).rows.map(\.joke.id.rawValue))
        }
        #expect(unchanged.isSubset(of: found) && !unchanged.isEmpty, "JOKESD_TEST_SEED=\(testSeed)")
        #expect(Set(found).count == found.count && totals.count == 1, "JOKESD_TEST_SEED=\(testSeed)")
    }

    private func changeRandomJokes(_ random: inout SplitMix64) throws {
        let number = random.int(in: 0..<Self.count)
        let numbers = number..<min(number + 20, Self.count)
        switch random.int(in: 0..<5) {
        case 0:
            let next = random.int(in: 1..<100_000)
            try store.ingest((0..<20).map { try joke("b", "\(next + $0)", Self.text(next + $0, &random)) }, from: "b")
        case 1:
            try store.ingest(numbers.map { try joke("a", "\($0)", Self.text($0 + 100_000, &random)) })
        case 2, 3:
            let isHidden = random.chance(2, in: 3)
            try store.assumeIsolated { store in
                for number in numbers {
                    _ = try store.setHidden(isHidden, JokeID(rawValue: "a:\(number)"), at: Fixture.now)
                }
            }
        default:
            // Excludes about half of the jokes, or admits them again.
            var rules = DisplayRules.unfiltered(sources: ["a", "b"])
            if random.chance(1, in: 2) { rules.filter.words = ["owl"] }
            try store.assumeIsolated { [rules] store in try store.adopt(rules) }
        }
    }

    @Test(
        "a part of the results has those after its start in the order of the pages, and the exact total",
        arguments: ["duck", "du", "\"the fox\" du", "the -swan", "nothing", "-"])
    func parts(query: String) throws {
        var random = SplitMix64(seed: testSeed)
        try store.ingest((0..<Self.count).map { try joke("a", "\($0)", Self.text($0, &random)) })
        let all = try allPages(query, limit: 100).ids
        for _ in 0..<scaled(200) {
            let limit = random.int(in: 1..<300)
            let start = random.chance(1, in: 8) ? Int.max : random.int(in: 1..<all.count + 5)
            let part = try reader.search(query, start: start, limit: limit)
            let expected = max(0, min(start, all.count - limit))
            #expect(part.start == expected && part.count == all.count, "JOKESD_TEST_SEED=\(testSeed)")
            #expect(part.rows.map(\.joke.id.rawValue) == Array(all.dropFirst(expected).prefix(limit)))
        }
        let selected = try reader.search("duck", JokeSelection(maxLength: 20), start: 1, limit: 1000)
        #expect(selected.rows == (try reader.search("duck", JokeSelection(maxLength: 20), limit: 1000).rows))
    }

    @Test("results are newest first, as the list is, and the first page counts at most 1001")
    func order() throws {
        try store.ingest(jokes(0..<1_200))
        let page = try reader.search("duck", limit: 100)
        #expect(page.rows.map(\.joke) == (try reader.list(limit: 100).rows))
        #expect(page.total == JokeReader.maxCountedMatches + 1)
        #expect(try allPages("duck", limit: 100).ids.count == 1_200)
        #expect(try reader.search("duck", start: 1_150, limit: 100).count == 1_200)
    }

    @Test("a merge of the full-text index changes no result")
    func merging() throws {
        for batch in 0..<40 { try store.ingest(jokes(batch * 10..<batch * 10 + 10)) }
        let before = try allPages("duck", limit: 100).ids
        try store.assumeIsolated { store in try store.mergeFullTextIndex() }
        #expect(try allPages("duck", limit: 100).ids == before)
    }
}
