import FoundationEssentials
import Glibc
import JokesCore
import Testing

/// The real data that may lie beside the checkout, or where `JOKESD_SHARED_DATA` says. It is not ours to publish.
private let sharedData: String = {
    if let named = getenv("JOKESD_SHARED_DATA") { return String(cString: named) }
    return #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/../shared/data"
}()

@Suite("Real jokes")
struct RealJokesTests {
    private struct Entry: Decodable {
        let setup: String
        let punchline: String
    }

    private static let catalogue = sharedData + "/official-joke-api/jokes.json"

    @Test(
        "of official-joke-api's 451, exactly 446 are different jokes",
        .enabled(
            if: access(catalogue, R_OK) == 0,
            "needs official-joke-api/jokes.json in shared/data beside the checkout, or in JOKESD_SHARED_DATA"))
    func officialJokeAPI() throws {
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: URL(filePath: Self.catalogue)))
        let normalizer = Normalizer(source: "official", language: "en", safety: .safe)
        let jokes = try entries.map {
            try normalizer.normalize(FetchedJoke(setup: $0.setup, punchline: $0.punchline))
        }
        #expect(jokes.count == 451)
        #expect(Set(jokes.map(\.fingerprint)).count == 446)
        #expect(Set(jokes.map(\.id)).count == 446)
    }
}
