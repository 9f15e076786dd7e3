import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The order of findings, and what becomes of it while jokes come and go.
@Suite struct SearchPagingTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    /// More than are ranked together.
    private static let count = 1_300
    private static let words = ["duck", "goose", "swan", "the", "fox", "ducks", "and", "owl"]

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    private static func text(_ number: Int, _ random: inout SplitMix64) -> String {
        let words = (0..<random.int(in: 2..<9)).map { _ in Self.words[random.int(in: 0..<Self.words.count)] }
        return "The \(words.joined(separator: " ")) \(number)"
    }

    /// All pages of a search; `between` is called after each but the last.
    private func pages(
        _ query: String, limit: Int, between: () throws -> Void = {}
    ) throws -> (ids: [String], totals: Set<SearchTotal>) {
        var page = try reader.search(query, limit: limit)
        var ids = page.rows.map(\.joke.id.rawValue)
        var totals: Set = [page.total]
        while let cursor = page.next {
            try between()
            page = try reader.search(query, after: SearchCursor(cursor.description), limit: limit)
            ids += page.rows.map(\.joke.id.rawValue)
            totals.insert(page.total)
        }
        return (ids, totals)
    }

    @Test(
        "whatever comes, goes or is edited between pages, what stays is given once, and nothing twice",
        arguments: ["duck", "du", "duck goose", "\"the fox\" du", "the -swan", "the 1 th*"])
    func churn(query: String) throws {
        var random = SplitMix64(seed: testSeed)
        try store.take((0..<Self.count).map { try joke("a", "\($0)", Self.text($0, &random)) })
        let before = try pages(query, limit: 100).ids
        var staying = Set(before)
        var edited: Set<String> = []
        let (given, totals) = try pages(query, limit: 37) {
            try change(&random, &edited)
            staying.formIntersection(try reader.list(limit: 100_000).rows.map(\.id.rawValue))
        }
        staying.subtract(edited)
        #expect(staying.isSubset(of: given), "JOKESD_TEST_SEED=\(testSeed)")
        let unedited = given.filter { !edited.contains($0) }
        #expect(Set(unedited).count == unedited.count && !staying.isEmpty, "JOKESD_TEST_SEED=\(testSeed)")
        #expect(totals.count == 1)
    }

    private func change(_ random: inout SplitMix64, _ edited: inout Set<String>) throws {
        let number = random.int(in: 0..<Self.count)
        let numbers = number..<min(number + 20, Self.count)
        switch random.int(in: 0..<5) {
        case 0:
            let next = random.int(in: 1..<100_000)
            try store.take((0..<20).map { try joke("b", "\(next + $0)", Self.text(next + $0, &random)) }, from: "b")
        case 1:
            for number in numbers { edited.insert("a:\(number)") }
            try store.take(numbers.map { try joke("a", "\($0)", Self.text($0 + 100_000, &random)) })
        case 2, 3:
            let isHidden = random.chance(2, in: 3)
            try store.assumeIsolated { store in
                for number in numbers {
                    _ = try store.setHidden(isHidden, JokeID(rawValue: "a:\(number)"), at: Fixture.noon)
                }
            }
        default:
            // Takes a third of the jokes away, or brings them back.
            var rules = ShowingRules.everything("a", "b")
            if random.chance(1, in: 2) { rules.filter.words = ["owl"] }
            try store.assumeIsolated { [rules] store in try store.adopt(rules) }
        }
    }

    @Test("pages of any size are one list, with all that the words are in", arguments: [1, 7, 100])
    func sizes(limit: Int) throws {
        var random = SplitMix64(seed: testSeed)
        try store.take((0..<90).map { try joke("a", "\($0)", Self.text($0, &random)) })
        let (ids, totals) = try pages("duck", limit: limit)
        #expect(ids == (try pages("duck", limit: 1_000).ids))
        #expect(totals == [SearchTotal(count: ids.count, isExact: true)])
    }

    @Test("of many findings the newest five hundred are ranked first, and no more are counted than that")
    func stretches() throws {
        try store.take([joke("a", "old", "Duck.")] + jokes(0..<1_050) + [joke("a", "new", "Duck!?")])
        let page = try reader.search("duck", limit: 2)
        #expect(page.rows.map(\.joke.id.rawValue).first == "a:new")
        #expect(page.total == SearchTotal(count: 500, isExact: false))
        let (ids, _) = try pages("duck", limit: 100)
        #expect(ids.count == 1_052)
        #expect(ids.firstIndex(of: "a:old") == 1_000)
    }

    @Test("a rare word weighs more than a common one")
    func weights() throws {
        try store.take(
            (0..<30).map { try joke("a", "\($0)", "The story of number\($0).") } + [
                joke("a", "rare", "The axolotl, axolotl and goose."), joke("a", "common", "The the the axolotl goose."),
            ])
        #expect(try pages("the axolotl", limit: 9).ids == ["a:rare", "a:common"])
    }

    @Test("after tidying up, as much is found as before, and there is nothing left to do")
    func tidying() throws {
        for batch in 0..<40 { try store.take(jokes(batch * 10..<batch * 10 + 10)) }
        let before = try pages("duck", limit: 100).ids
        #expect(try store.assumeIsolated { store in try store.tidyWords() })
        #expect(try pages("duck", limit: 100).ids == before)
        #expect(try store.assumeIsolated { store in try store.tidyWords() } == false)
    }
}
