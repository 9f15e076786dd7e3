import JokesCore
import JokesStore
import Testing

/// The list of hidden jokes.
@Suite final class HiddenJokesTests: StoreTestCase {
    @Test(
        "each group of hidden jokes is listed once, most recently hidden first; marks without a listed joke are counted"
    )
    func hiddenJokes() throws {
        try store.ingest(jokes(0..<5))
        try store.ingest([joke("b", "9", "Why did duck a1 cross?", "Side 1.")], from: "b")
        for (hours, id) in ["a:3", "b:9", "a:0"].enumerated() { try store.hide(id, hours: hours) }
        let first = try reader.hiddenJokes(limit: 2)
        #expect(first.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && first.total == 3)
        #expect(try reader.hiddenMarkCount() == 3)
        let cursor = try #require(first.next)
        #expect(PageCursor(cursor.description) == cursor)
        let second = try reader.hiddenJokes(after: cursor, limit: 2)
        #expect(second.rows.map(\.joke.id.rawValue) == ["a:3"] && second.next == nil)
        #expect(second.rows.map(\.hiddenAt) == [Fixture.now])
        #expect(try reader.joke(JokeID(rawValue: "a:3"))?.isHidden == true)
        #expect(try reader.joke(JokeID(rawValue: "a:4"))?.isHidden == false)
        // The filters exclude a hidden joke.
        try store.assumeIsolated { store in
            try store.adopt(DisplayRules(sourceOrder: ["a"], filter: .init(words: ["a3"])))
        }
        let filtered = try reader.hiddenJokes(limit: 9)
        #expect(filtered.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && filtered.total == 2)
        #expect(try reader.hiddenMarkCount() == 3)
    }
}
