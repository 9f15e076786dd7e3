import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The pages of a search while jokes are added, removed and edited.
@Suite struct SearchPagingTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    /// Several windows.
    private static let count = 700
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

    /// Returns all pages of a search; calls `between` after each but the last.
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
        "an unchanged joke is on exactly one page, even if others are added, removed or edited meanwhile",
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
            // Removes a third of the jokes, or adds them again.
            var rules = DisplayRules.everything("a", "b")
            if random.chance(1, in: 2) { rules.filter.words = ["owl"] }
            try store.assumeIsolated { [rules] store in try store.adopt(rules) }
        }
    }

    @Test("pages of any size make the same list, and have the same exact total", arguments: [1, 7, 100])
    func sizes(limit: Int) throws {
        var random = SplitMix64(seed: testSeed)
        try store.take((0..<90).map { try joke("a", "\($0)", Self.text($0, &random)) })
        let (ids, totals) = try pages("duck", limit: limit)
        #expect(ids == (try pages("duck", limit: 1_000).ids))
        #expect(totals == [SearchTotal(count: ids.count, isExact: true)])
    }

    @Test("the newest 200 matches are ranked first, and no more are counted")
    func windows() throws {
        try store.take([joke("a", "old", "Duck.")] + jokes(0..<399) + [joke("a", "new", "Duck!?")])
        #expect(try reader.search("duck", limit: 2).total == SearchTotal(count: 200, isExact: false))
        let (ids, _) = try pages("duck", limit: 100)
        #expect(ids.count == 401)
        #expect(ids.first == "a:new" && ids.last == "a:old")
    }

    @Test("a cursor is refused if more than 800 jokes now match in its window")
    func shownAgain() throws {
        // First, all but every third are filtered out, and then all but every ninth.
        try store.take(
            (0..<2_000).map { number in
                let word = number % 9 == 0 ? "quack" : number % 3 == 0 ? "odd" : "rude odd"
                return try joke("a", "\(number)", "Duck number\(number): \(word).")
            })
        func adopt(_ words: [String]) throws {
            var rules = DisplayRules.everything("a", "b", "c")
            rules.filter.words = words
            try store.assumeIsolated { [rules] store in try store.adopt(rules) }
        }
        try adopt(["rude"])
        let third = try #require(try reader.search("duck", limit: 20).next)
        try adopt(["odd"])
        let ninth = try #require(try reader.search("duck", limit: 20).next)
        try adopt([])
        #expect(try reader.search("duck", after: third, limit: 20).rows.count == 20)
        let error = #expect(throws: StoreError.self) { try reader.search("duck", after: ninth, limit: 20) }
        #expect(error?.code == .wrongCursor)
    }

    @Test("a merge of the index changes no result, and leaves nothing to merge")
    func tidying() throws {
        for batch in 0..<40 { try store.take(jokes(batch * 10..<batch * 10 + 10)) }
        let before = try pages("duck", limit: 100).ids
        #expect(try store.assumeIsolated { store in try store.mergeWordIndex() })
        #expect(try pages("duck", limit: 100).ids == before)
        #expect(try store.assumeIsolated { store in try store.mergeWordIndex() } == false)
    }
}
