import JokesCore
import JokesStore
import TestSupport
import Testing

/// What searches cost, by the instructions that SQLite runs for them: not more where there are more jokes.
@Suite struct SearchCostTests {
    private static let sizes = [4_000, 8_000]
    private static let newest = 2_100
    private static let rare = 60

    /// A store in which "zebra" is in every tenth of the newest jokes, in none of those before them, and in sixty all
    /// over the rest: the index is asked about it only after some stretches were looked at in vain.
    private func store(of count: Int, in fixture: Fixture) throws -> JokeStore {
        let store = try fixture.open()
        let distance = (count - Self.newest) / Self.rare
        try store.take(
            (0..<count).map { number in
                let age = count - 1 - number
                let isSaid = age < 250 ? age % 10 == 0 : age >= Self.newest && age % distance == 0
                return try joke("a", "\(number)", "Duck number\(number) met \(isSaid ? "a zebra" : "nobody").")
            })
        return store
    }

    @Test("no page of a search costs more than the first, and none more where there are more jokes")
    func pages() throws {
        var costs: [[Int]] = []
        for size in Self.sizes {
            let fixture = try Fixture()
            let reader = try JokeReader(of: store(of: size, in: fixture))
            var page = try reader.search("zeb", limit: 26)
            var ids = page.rows.map(\.joke.id.rawValue)
            var ofPages = [reader.steps]
            while let cursor = page.next {
                page = try reader.search("zeb", after: SearchCursor(cursor.description), limit: 26)
                ids += page.rows.map(\.joke.id.rawValue)
                ofPages.append(reader.steps - ofPages.reduce(0, +))
            }
            #expect(Set(ids).count == ids.count && ids.count >= 25 + Self.rare)
            #expect(ofPages.dropFirst().allSatisfy { $0 <= ofPages[0] }, "\(ofPages)")
            costs.append(ofPages)
        }
        #expect(costs[0].count == costs[1].count && costs[0].count > 3)
        for (few, many) in zip(costs[0], costs[1]) { #expect(many < few + few / 5, "\(costs)") }
    }

    @Test("a cursor that somebody made up costs what a page does, or is refused")
    func madeUp() throws {
        let costs = try Self.sizes.map { size in
            let fixture = try Fixture()
            let reader = try JokeReader(of: store(of: size, in: fixture))
            let everything = SearchCursor("1.\(Int64.max).1000000000.\(Int64.max).0.0.0")
            let error = #expect(throws: StoreError.self) { try reader.search("duck", after: everything, limit: 20) }
            #expect(error?.code == .wrongCursor)
            return try ["duck", "du", "zebra", "zeb"].map { try mostSteps(of: $0, reader) }
        }
        for (few, many) in zip(costs[0], costs[1]) { #expect(many < few + few / 5, "\(costs)") }
    }

    /// The maximum that a made-up cursor costs.
    private func mostSteps(of query: String, _ reader: JokeReader) throws -> Int {
        var most = 0
        for (bits, common) in [(0, 0), (1, 250), (2, 0), (3, 250)] {
            for place in ["1000000000.\(Int64.max)", "0.0"] {
                let cursor = try #require(SearchCursor("1.\(Int64.max).\(place).0.\(bits).\(common)"))
                let before = reader.steps
                _ = try? reader.search(query, after: cursor, limit: 20)
                most = max(most, reader.steps - before)
            }
        }
        return most
    }

    @Test("a cursor is good as long as what is shown again has some bounds, and is refused beyond")
    func shownAgain() throws {
        let fixture = try Fixture()
        // All but every third, and then all but every ninth, are left out meanwhile.
        let store = try fixture.open()
        try store.take(
            (0..<6_000).map { number in
                let word = number % 9 == 0 ? "quack" : number % 3 == 0 ? "odd" : "rude odd"
                return try joke("a", "\(number)", "Duck number\(number): \(word).")
            })
        let reader = try JokeReader(of: store)
        func adopt(_ words: [String]) throws {
            var rules = ShowingRules.everything("a", "b", "c")
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
        #expect(try reader.search("duck", limit: 20).rows.count == 20)
    }
}
