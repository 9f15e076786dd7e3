import JokesCore
import JokesStore
import TestSupport
import Testing

/// Selections of unseen jokes and of favorites. `ListTests` has the other selections.
@Suite struct JokeSelectionTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    @Test("a joke is unseen until it is served, and random unseen jokes never repeat")
    func unseen() throws {
        try store.ingest(jokes(0..<6, categories: ["pun"]))
        let unseen = JokeSelection(unseen: true)
        #expect(try reader.statistics(of: unseen, maxNames: 9).jokes == 6)
        var served: Set<JokeID> = []
        for number in 1...6 {
            let joke = try #require(try store.served(unseen))
            #expect(served.insert(joke.id).inserted && !joke.isSeen)
            #expect(try reader.list(unseen, limit: 9).rows.count == 6 - number)
            #expect(try reader.search("duck", unseen, limit: 9).rows.count == 6 - number)
        }
        #expect(try store.served(unseen) == nil && reader.list(unseen, limit: 9).total == 0)
        #expect(try reader.list(limit: 9).rows.allSatisfy(\.isSeen))
        let stored = try #require(try reader.joke(JokeID(rawValue: "a:0")))
        #expect(stored.serveCount == 1 && stored.lastServed != nil)
        let all = try reader.statistics(of: JokeSelection(), maxNames: 9)
        #expect(all.jokes == 6 && all.unseen == 0 && all.served == 6)
        #expect(all.categories.map(\.name) == ["pun"] && all.categories.map(\.jokes) == [6])
    }

    @Test("favorites can be selected like jokes, and each page continues the selection")
    func selectedFavorites() throws {
        try store.ingest(jokes(0..<6, categories: ["Pun"]))
        try store.ingest([joke("b", "1", "Eine Ente.", language: "de-AT")], from: "b")
        for (hours, id) in ["a:0", "b:1", "a:1", "a:2"].enumerated() { try store.favorite(id, hours: hours) }
        func ids(_ selection: JokeSelection) throws -> [String] {
            var page = try reader.favorites(selection, limit: 1)
            var ids = page.rows.map(\.id.rawValue)
            while let next = page.next {
                page = try reader.favorites(selection, after: next, limit: 1)
                ids += page.rows.map(\.id.rawValue)
            }
            #expect(page.total == ids.count)
            return ids
        }
        #expect(try ids(JokeSelection(source: "a")) == ["a:2", "a:1", "a:0"])
        #expect(try ids(JokeSelection(language: "de")) == ["b:1"])
        #expect(try ids(JokeSelection(category: "pun", unseen: true)) == ["a:2", "a:1", "a:0"])
        #expect(try ids(JokeSelection(maxLength: 10)) == ["b:1"])
        #expect(try reader.shownIDs(JokeSelection(favorites: true)) == ["b:1", "a:0", "a:1", "a:2"])
        for _ in 0..<7 { _ = try store.served() }
        #expect(try ids(JokeSelection(unseen: true)) == [])
    }
}
