import FoundationEssentials
import JokesCore
import TestSupport

/// The real jokes beside the checkout, in the form of the readers of their sources.
enum RealJokes {
    /// The jokes of a source in one language.
    struct Collection {
        let source: String
        let language: String
        let jokes: [FetchedJoke]

        func normalized() throws -> [NormalizedJoke] {
            let normalizer = Normalizer(source: source)
            return try jokes.map { try normalizer.normalize($0) }
        }
    }

    static let isThere = realData("official-joke-api/jokes.json") != nil

    static func all() throws -> [Collection] {
        let jokeAPI = try ["en", "de", "es", "pt", "cs"].map { language in
            let entries: [Entry] = try decoded("jokeapi-v2/jokes-\(language).json")
            return Collection(
                source: "jokeapi", language: language,
                jokes: entries.map { entry in
                    FetchedJoke(
                        upstreamID: entry.id.map { "\(language):\($0)" }, setup: entry.setup ?? entry.joke ?? "",
                        punchline: entry.delivery)
                })
        }
        return try [official()] + jokeAPI + [blagues(), dadjokes(), readme()]
    }

    static func official() throws -> Collection {
        let entries: [Entry] = try decoded("official-joke-api/jokes.json")
        return Collection(
            source: "official", language: "en",
            jokes: entries.map { FetchedJoke(setup: $0.setup ?? "", punchline: $0.punchline) })
    }

    private static func blagues() throws -> Collection {
        let entries: [Entry] = try decoded("blagues-api/blagues.json")
        return Collection(
            source: "blagues", language: "fr",
            jokes: entries.map {
                FetchedJoke(upstreamID: $0.id.map { "\($0)" }, setup: $0.joke ?? "", punchline: $0.answer)
            })
    }

    private static func dadjokes() throws -> Collection {
        let text = String(decoding: try data("dadjokes-online/jokes.txt"), as: UTF8.self)
        let parts = text.split(separator: "\n").map { $0.split(separator: "<>", omittingEmptySubsequences: false) }
        return Collection(
            source: "dadjokes", language: "en",
            jokes: parts.map { FetchedJoke(setup: String($0[0]), punchline: $0.dropFirst().first.map(String.init)) })
    }

    /// A collection whose texts are HTML.
    private static func readme() throws -> Collection {
        let entries: [String: Question] = try decoded("readme-jokes/jokes.json")
        return Collection(
            source: "readme", language: "en",
            jokes: entries.sorted { $0.key < $1.key }.map {
                FetchedJoke(setup: $0.value.setup, punchline: $0.value.punchline, isHTML: true)
            })
    }

    private struct Entry: Decodable {
        let id: Int?
        let setup, punchline, delivery, joke, answer: String?
    }

    /// `{"q": …, "a": …}`, or a bare text.
    private struct Question: Decodable {
        let setup: String
        let punchline: String?

        private enum CodingKeys: String, CodingKey {
            case setup = "q"
            case punchline = "a"
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                (setup, punchline) = (text, nil)
            } else {
                let fields = try decoder.container(keyedBy: CodingKeys.self)
                setup = try fields.decode(String.self, forKey: .setup)
                punchline = try fields.decode(String.self, forKey: .punchline)
            }
        }
    }

    private static func decoded<Value: Decodable>(_ name: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data(name))
    }

    private static func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: realData(name) ?? name))
    }
}
