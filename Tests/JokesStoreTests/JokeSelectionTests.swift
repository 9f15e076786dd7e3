import JokesCore
import JokesStore
import TestSupport
import Testing
import Unix

/// Selections of unseen jokes and of favorites. `ListTests` has the other selections.
@Suite final class JokeSelectionTests: StoreTestCase {
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

    @Test(
        "statistics count the jokes of each source, language and category, the largest count first, up to a limit of names"
    )
    func statistics() throws {
        try store.ingest([
            joke("a", "1", "One duck.", categories: ["Pun", "Birds"]),
            joke("a", "2", "Two ducks.", categories: ["Pun"]),
            joke("a", "3", "Eine Ente.", categories: ["Misc"], language: "de"),
        ])
        try store.ingest([joke("b", "4", "Four ducks.", categories: ["birds", "Pun"])], from: "b")
        try store.favorite("b:4")
        let all = try reader.statistics(of: JokeSelection(), maxNames: 2)
        #expect(all.jokes == 4 && all.favorites == 1)
        #expect(all.sources.map(\.name) == ["a", "b"] && all.sources.map(\.jokes) == [3, 1])
        #expect(all.languages.map(\.name) == ["en", "de"] && all.languages.map(\.jokes) == [3, 1])
        #expect(
            all.categories.map { $0.name.lowercased() } == ["pun", "birds"] && all.categories.map(\.jokes) == [3, 2])
        let some = try reader.statistics(of: JokeSelection(source: "b", favorites: true), maxNames: 9)
        #expect(some.jokes == 1 && some.languages.map(\.name) == ["en"])
        let none = try reader.statistics(of: JokeSelection(source: "nowhere"), maxNames: 9)
        #expect(none.jokes == 0 && none.sources.isEmpty && none.categories.isEmpty)
    }

    @Test("the joke of the day stays on its date while it is shown, and is the last served joke")
    func jokeOfTheDay() throws {
        try store.ingest(jokes(0..<9))
        func today(_ date: CivilDate) throws -> String? {
            try store.assumeIsolated { store in try store.jokeOfTheDay(date, at: Fixture.now)?.id.rawValue }
        }
        let date = try #require(CivilDate(year: 2026, month: 11, day: 25))
        #expect(try reader.jokeOfTheDay(date) == nil)
        let first = try #require(try today(date))
        _ = try store.served()
        #expect(try today(date) == first && reader.jokeOfTheDay(date)?.id.rawValue == first)
        #expect(try reader.lastServed()?.rawValue == first)
        let again = try store.assumeIsolated { store in
            try store.change(requestedAt: .now) { try $0.jokeOfTheDay(date, at: Fixture.now)?.id.rawValue }
        }
        #expect(again.result == first && !again.hasWritten, "a repeated call writes")
        #expect(try today(CivilDate(daysSince1970: date.daysSince1970 + 1)) != first)
        #expect(try reader.jokeOfTheDay(date) == nil)
        let second = try #require(try today(date))
        try store.hide(second)
        #expect(try reader.jokeOfTheDay(date) == nil)
        #expect(try today(date) != second && today(date) != nil)
    }
}
