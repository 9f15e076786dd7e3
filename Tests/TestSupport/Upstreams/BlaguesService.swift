/// Answers as www.blagues-api.fr does: one joke per request, IDs with gaps, and a required token.
package struct BlaguesService: UpstreamService {
    /// A joke in the API's format, which its data file uses too.
    package struct Joke: Codable, Sendable {
        package var id: Int
        package var type: String
        package var joke: String
        package var answer: String

        package init(_ id: Int, type: String = "global", _ joke: String, _ answer: String) {
            self.id = id
            self.type = type
            self.joke = joke
            self.answer = answer
        }
    }

    private var byID: [Int: Joke]
    private let token: String

    package init(_ jokes: [Joke], token: String) {
        byID = Dictionary(jokes.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.token = token
    }

    /// The jokes in the order of their IDs.
    package var jokes: [Joke] {
        get { byID.values.sorted { $0.id < $1.id } }
        set { byID = Dictionary(newValue.map { ($0.id, $0) }, uniquingKeysWith: { $1 }) }
    }

    package var rateLimitAnswer: LoopbackAnswer {
        error(429, "Too Many Requests", "Rate limit exceeded")
    }

    package func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer {
        guard request.header("Authorization") == "Bearer \(token)" else {
            return error(401, "Unauthorized", "Invalid Token submitted")
        }
        let parts = request.path.split(separator: "/")
        guard parts.first == "api" else { return .html("Cette page n'existe pas.", status: 404) }
        switch (parts.dropFirst().first, parts.count) {
        case ("count", 2): return .json(encoding: ["count": byID.count])
        case ("id", 3):
            guard let id = Int(parts[2]) else { return error(400, "Bad Request", "Invalid id") }
            return byID[id].map { .json(encoding: $0) } ?? notFound
        case ("random", 2):
            let unwanted = request.query["disallow"]?.split(separator: ",").map(String.init) ?? []
            return randomJoke(requestNumber) { !unwanted.contains($0.type) }
        case ("type", 4): return randomJoke(requestNumber) { $0.type == parts[2] }
        default: return notFound
        }
    }

    private func randomJoke(_ requestNumber: Int, where isWanted: (Joke) -> Bool) -> LoopbackAnswer {
        let candidates = jokes.filter(isWanted)
        return candidates.isEmpty ? notFound : .json(encoding: candidates[requestNumber % candidates.count])
    }

    private var notFound: LoopbackAnswer {
        error(404, "Not Found", "Joke not found")
    }

    private struct Failure: Encodable {
        let status: Int
        let error: String
        let message: String
    }

    private func error(_ status: Int, _ error: String, _ message: String) -> LoopbackAnswer {
        .json(encoding: Failure(status: status, error: error, message: message), status: status)
    }
}
