import FoundationEssentials

/// Answers as icanhazdadjoke.com does: a search in pages of which the last names itself as the next, the last page
/// again for later numbers, HTML unless JSON is requested, and status 200 with an error for an unknown ID.
package struct DadJokeService: UpstreamService {
    package struct Joke: Codable, Sendable {
        package var id: String
        package var joke: String

        package init(_ id: String, _ joke: String) {
            self.id = id
            self.joke = joke
        }
    }

    package var jokes: [Joke]

    package init(_ jokes: [Joke]) {
        self.jokes = jokes
    }

    package var rateLimitAnswer: LoopbackAnswer {
        .json(#"{"message":"Too many requests","status":429}"#, status: 429)
    }

    package func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer {
        guard request.header("Accept") == "application/json" else { return .html("Have a dad joke.") }
        let parts = request.path.split(separator: "/")
        switch (parts.first, parts.count) {
        case ("search", 1): return search(request)
        case (nil, 0): return jokes.isEmpty ? notFound : singleJoke(jokes[requestNumber % jokes.count])
        case ("j", 2): return jokes.first { $0.id == parts[1] }.map(singleJoke) ?? notFound
        default: return .html("Not found", status: 404)
        }
    }

    private var notFound: LoopbackAnswer {
        .json(#"{"message":"Joke not found","status":404}"#)
    }

    private struct SingleJoke: Encodable {
        let id: String
        let joke: String
        let status = 200
    }

    private func singleJoke(_ joke: Joke) -> LoopbackAnswer {
        .json(encoding: SingleJoke(id: joke.id, joke: joke.joke))
    }

    private struct Page: Encodable {
        let currentPage: Int
        let limit: Int
        let nextPage: Int
        let previousPage: Int
        let results: [Joke]
        let searchTerm: String
        let status = 200
        let totalJokes: Int
        let totalPages: Int
    }

    private func search(_ request: LoopbackRequest) -> LoopbackAnswer {
        let term = request.query["term"] ?? ""
        let found = jokes.filter { term.isEmpty || $0.joke.lowercased().contains(term.lowercased()) }
        let limit = min(max(request.query["limit"].flatMap { Int($0) } ?? 20, 1), 30)
        let pages = max(1, (found.count + limit - 1) / limit)
        let page = min(max(request.query["page"].flatMap { Int($0) } ?? 1, 1), pages)
        return .json(
            encoding: Page(
                currentPage: page, limit: limit, nextPage: min(page + 1, pages), previousPage: max(page - 1, 1),
                results: Array(found.dropFirst((page - 1) * limit).prefix(limit)), searchTerm: term,
                totalJokes: found.count, totalPages: pages), keys: .convertToSnakeCase)
    }
}
