import JokesCore
import JokesStore
import Testing

/// The statistics of a selection of jokes.
@Suite final class StatisticsTests: StoreTestCase {
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
}
