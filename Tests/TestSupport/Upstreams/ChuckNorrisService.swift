import FoundationEssentials

/// Answers as api.chucknorris.io does: a search without pages, errors with violations, dates with any
/// number of fraction digits and no time zone.
package struct ChuckNorrisService: UpstreamService {
    package struct Joke: Encodable, Sendable {
        package var categories: [String]
        package var createdAt: String
        package var iconUrl = "https://api.chucknorris.io/img/avatar/chuck-norris.png"
        package var id: String
        package var updatedAt: String
        package var url: String
        package var value: String

        package init(
            _ id: String, _ value: String, categories: [String] = [], created: String = "2019-06-02 08:47:39.43184",
            updated: String? = nil
        ) {
            self.categories = categories
            self.id = id
            self.value = value
            createdAt = created
            updatedAt = updated ?? created
            url = "https://api.chucknorris.io/jokes/\(id)"
        }
    }

    package var jokes: [Joke]

    package init(_ jokes: [Joke]) {
        self.jokes = jokes
    }

    package var rateLimitAnswer: LoopbackAnswer {
        error(429, "Too Many Requests", "Slow down")
    }

    package func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer {
        switch request.path {
        case "/jokes/search":
            let query = request.query["query"] ?? ""
            guard (3...120).contains(query.count) else {
                return error(
                    400, "Bad Request", "search.query: size must be between 3 and 120",
                    violations: ["search.query": "size must be between 3 and 120"])
            }
            let found = jokes.filter { $0.value.lowercased().contains(query.lowercased()) }
            return .json(encoding: SearchResult(total: found.count, result: found), keys: .convertToSnakeCase)
        default: return error(404, "Not Found", "No static resource")
        }
    }

    private struct SearchResult: Encodable {
        let total: Int
        let result: [Joke]
    }

    private struct Failure: Encodable {
        let timestamp = "2026-11-20T14:01:19.123Z"
        let status: Int
        let error: String
        let message: String
        let violations: [String: String]?
    }

    private func error(
        _ status: Int, _ error: String, _ message: String, violations: [String: String]? = nil
    ) -> LoopbackAnswer {
        .json(
            encoding: Failure(status: status, error: error, message: message, violations: violations), status: status)
    }
}
