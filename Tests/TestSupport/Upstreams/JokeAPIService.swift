/// Answers as v2.jokeapi.dev does: IDs that count within a language, `/info` with their ranges, at most ten jokes per
/// answer and a single joke without a list, errors with status 200 and codes that are numbers or texts, and
/// `Retry-After` on every answer.
package struct JokeAPIService: UpstreamService {
    /// A joke in the API's format, which its data files use too, without the language.
    package struct Joke: Codable, Sendable {
        package var category: String
        package var type: String
        package var joke: String?
        package var setup: String?
        package var delivery: String?
        package var flags: [String: Bool]
        package var id: Int
        package var safe: Bool
        package var lang: String?

        /// Creates a joke of two parts if there is a delivery.
        package init(
            _ id: Int, lang: String = "en", category: String = "Pun", _ setup: String, delivery: String? = nil,
            flags: Set<String> = [], safe: Bool = true
        ) {
            self.category = category
            self.id = id
            self.lang = lang
            self.safe = safe
            self.delivery = delivery
            type = delivery == nil ? "single" : "twopart"
            joke = delivery == nil ? setup : nil
            self.setup = delivery == nil ? nil : setup
            self.flags = Dictionary(uniqueKeysWithValues: JokeAPIService.flags.map { ($0, flags.contains($0)) })
        }
    }

    package static let flags = ["nsfw", "religious", "political", "racist", "sexist", "explicit"]
    package static let categories = ["Any", "Misc", "Programming", "Dark", "Pun", "Spooky", "Christmas"]

    package var jokes: [Joke]
    package var languages: [String]
    package var version = "2.3.3"

    /// Creates a service with these languages, some of which may have no jokes.
    package init(_ jokes: [Joke], languages: [String] = ["cs", "de", "en", "es", "fr", "pt"]) {
        self.jokes = jokes
        self.languages = languages
    }

    /// Returns the highest ID of a language; -1 if it has no jokes.
    package func lastID(_ language: String) -> Int {
        jokes.filter { $0.lang == language }.map(\.id).max() ?? -1
    }

    package var rateLimitAnswer: LoopbackAnswer {
        error(
            "101", "Request blocked by Rate Limiting",
            "You are being rate limited because you have sent too many requests.", status: 429, remaining: -6)
    }

    package func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer {
        if request.target.utf8.count > 250 {
            return error("108", "URL too long", "The provided URI exceeds the maximum length of 250.", status: 414)
        }
        guard request.header("User-Agent")?.contains("/") == true else { return .html("Forbidden", status: 403) }
        let parts = request.path.split(separator: "/")
        switch (parts.first, parts.count) {
        case ("info", 1): return .json(encoding: Info(self), headers: Self.headers())
        case ("languages", 1):
            return .json(encoding: ["jokeLanguages": languages, "systemLanguages": ["en"]], headers: Self.headers())
        case ("joke", 2): return jokes(String(parts[1]), request)
        default: return .html("Endpoint not found", status: 404)
        }
    }

    // MARK: Jokes

    private func jokes(_ categories: String, _ request: LoopbackRequest) -> LoopbackAnswer {
        let categories = categories.split(separator: ",").map { $0.lowercased() }
        let known = Self.categories.map { $0.lowercased() }
        if let odd = categories.first(where: { !known.contains($0) }) {
            return noMatch("The specified category/ies is/are invalid. Got: \"\(odd)\"")
        }
        let language = request.query["lang"] ?? "en"
        guard languages.contains(language) else {
            return noMatch("The specified language code \"\(language)\" is invalid.")
        }
        var matching = jokes.filter { $0.lang == language }
        if let range = request.query["idRange"] {
            let ends = range.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last <= lastID(language) else {
                return noMatch(
                    "The specified ID range is invalid. Got: \"\(range)\" but max possible ID range is: "
                        + "\"0-\(lastID(language))\".")
            }
            matching = matching.filter { (first...last).contains($0.id) }
        }
        // `safe-mode` is ignored if it has a value.
        let fields = request.target.drop { $0 != "?" }.dropFirst().split(separator: "&")
        if fields.contains("safe-mode") { matching = matching.filter(\.safe) }
        if !categories.contains("any") {
            matching = matching.filter { categories.contains($0.category.lowercased()) }
        }
        let amount = min(max(request.query["amount"].flatMap { Int($0) } ?? 1, 1), 10)
        return answer(Array(matching.reversed().prefix(amount)))
    }

    private func answer(_ jokes: [Joke]) -> LoopbackAnswer {
        switch jokes.count {
        case 0:
            noMatch("Error while finalizing joke filtering: No jokes were found that match your provided filter(s).")
        case 1: .json(encoding: SingleJoke(joke: jokes[0]), headers: Self.headers())
        default: .json(encoding: JokeList(amount: jokes.count, jokes: jokes), headers: Self.headers())
        }
    }

    private struct SingleJoke: Encodable {
        let joke: Joke

        private enum Key: String, CodingKey {
            case error
        }

        func encode(to encoder: any Encoder) throws {
            try joke.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(false, forKey: .error)
        }
    }

    private struct JokeList: Encodable {
        var error = false
        let amount: Int
        let jokes: [Joke]
    }

    // MARK: The rest

    private struct Info: Encodable {
        struct Jokes: Encodable {
            struct SafeCount: Encodable {
                let lang: String
                let count: Int
            }

            let totalCount: Int
            let categories = JokeAPIService.categories
            let flags = JokeAPIService.flags
            let types = ["single", "twopart"]
            let idRange: [String: [Int]]
            let safeJokes: [SafeCount]
        }

        let error = false
        let version: String
        let jokes: Jokes
        let formats = ["json", "xml", "yaml", "txt"]
        let timestamp = 1_795_183_279_888

        init(_ service: JokeAPIService) {
            version = service.version
            jokes = Jokes(
                totalCount: service.jokes.count,
                idRange: Dictionary(uniqueKeysWithValues: service.languages.map { ($0, [0, service.lastID($0)]) }),
                safeJokes: service.languages.map { language in
                    Jokes.SafeCount(
                        lang: language, count: service.jokes.filter { $0.lang == language && $0.safe }.count)
                })
        }
    }

    private struct Failure: Encodable {
        let error = true
        let internalError = false
        let code: String
        let message: String
        let additionalInfo: String
    }

    private func noMatch(_ detail: String) -> LoopbackAnswer {
        .json(
            """
            {"error":true,"internalError":false,"code":106,"message":"No matching joke found","causedBy":\
            ["No jokes were found that match your provided filter(s)."],"additionalInfo":\(detail.debugDescription),\
            "timestamp":1795183279832}
            """, headers: Self.headers())
    }

    private func error(
        _ code: String, _ message: String, _ detail: String, status: Int, remaining: Int = 119
    ) -> LoopbackAnswer {
        .json(
            encoding: Failure(code: code, message: message, additionalInfo: detail), status: status,
            headers: Self.headers(remaining: remaining))
    }

    private static func headers(remaining: Int = 119) -> [(name: String, value: String)] {
        [
            ("Retry-After", "60"), ("RateLimit-Limit", "120"), ("RateLimit-Remaining", "\(remaining)"),
            ("RateLimit-Reset", "Fri Nov 20 2026 14:02:19 GMT+0000 (Coordinated Universal Time)"),
            ("Cache-Control", "no-cache, no-store, must-revalidate, no-transform"),
        ]
    }
}
