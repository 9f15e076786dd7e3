import FoundationEssentials
import JokesCore
import TestSupport
import Testing

@Suite("Real jokes")
struct RealJokesTests {
    private struct Entry: Decodable {
        let setup: String
        let punchline: String
    }

    private static let catalogue = realData("official-joke-api/jokes.json")

    @Test(
        "of official-joke-api's 451, exactly 446 are different jokes",
        .enabled(if: catalogue != nil, Comment(rawValue: realDataIsMissing)))
    func officialJokeAPI() throws {
        let entries = try JSONDecoder().decode(
            [Entry].self, from: Data(contentsOf: URL(filePath: try #require(Self.catalogue))))
        let normalizer = Normalizer(source: "official", language: "en", safety: .safe)
        let jokes = try entries.map {
            try normalizer.normalize(FetchedJoke(setup: $0.setup, punchline: $0.punchline))
        }
        #expect(jokes.count == 451)
        #expect(Set(jokes.map(\.fingerprint)).count == 446)
        #expect(Set(jokes.map(\.id)).count == 446)
    }
}
