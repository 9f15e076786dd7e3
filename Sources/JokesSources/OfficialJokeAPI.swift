import HTTP
import JSON
import JokesCore

/// Reads https://official-joke-api.appspot.com and other servers with the same program.
///
/// It has no list. `/jokes/random/N` returns N different jokes, so a request with the total number returns all jokes. A
/// request for more returns a text with the total number and status 200. The ETag of this text changes with the number,
/// so one conditional request finds new and removed jokes. All jokes are fetched from time to time to find edits.
///
/// The IDs of the service are positions in a file, which change, so they are not used.
struct OfficialJokeAPI: JokeSource {
    private static let tooLargeNumber = 1_000_000
    private static let plausibleSizes = 1...100_000

    private struct Cursor: ServiceCursor {
        var unchanged = 0
        /// The total number of jokes, if all jokes are to be fetched.
        var size: Int?

        var isPlausible: Bool { OfficialJokeAPI.plausibleSizes.contains(size ?? 1) }
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        let count = cursor?.size.map { min($0, max(1, limit ?? $0)) } ?? Self.tooLargeNumber
        let isConditional = cursor.map { $0.size == nil && !$0.isFullSyncDue } ?? false
        let answer = try await upstream.get(
            "/jokes/random/\(count)", headers: ["Accept": "application/json, text/html"],
            validators: isConditional ? position.validators : SourceState.Validators())
        if answer.isNotModified, let cursor { return cursor.unchangedBatch(validators: answer.storedValidators) }
        // A server that accepts too large a number has returned all jokes.
        if answer.mediaType?.isJSON == true {
            return try await batch(from: answer, of: cursor?.size, limit, position.validators)
        }
        // The next step fetches all jokes, before which the rate may require a pause.
        let next = Cursor(size: try totalNumber(in: answer, below: count))
        return SourceBatch(position: SourcePosition(encoding: next, answer.storedValidators), progress: .more)
    }

    /// The number in `The passed path exceeds the number of jokes (451).` It decreases each time, so this ends.
    private func totalNumber(in answer: HTTPResponse, below count: Int) throws(SourceError) -> Int {
        let text = String(decoding: answer.body.prefix(1000), as: UTF8.self)
        let number = text.split(separator: "number of jokes (").dropFirst().first?.prefix { $0 != ")" }
        guard let size = number.flatMap({ Int($0) }), Self.plausibleSizes.contains(size), size < count else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count")
        }
        return size
    }

    /// Returns the jokes of an answer with all jokes, and checks their number if it is known.
    private func batch(
        from answer: HTTPResponse, of size: Int?, _ limit: Int?, _ validators: SourceState.Validators
    ) async throws(SourceError) -> SourceBatch {
        let root = try await answer.jsonRoot
        if root.optionalText("type") == "error", let body = ErrorBody(answer) { throw SourceError(body, in: answer) }
        let (jokes, refused) = try await answer.items(of: root, Self.joke)
        if jokes.isEmpty { throw SourceError(noJokesIn: answer) }
        let taken = jokes.prefix(limit ?? .max)
        let isWhole = jokes.count + refused >= size ?? 0 && taken.count == jokes.count
        let next = SourcePosition(encoding: Cursor(), isWhole && size != nil ? validators : SourceState.Validators())
        return SourceBatch(
            jokes: Array(taken), beginsFullSync: true, refused: refused, position: next,
            // A refused item may be a known joke that still exists.
            progress: isWhole && refused == 0 ? .complete : .partial, permission: answer.permission)
    }

    private static func joke(_ item: JSONValue) throws(JSONError) -> FetchedJoke? {
        // On an error `type` is the marker, on a joke it is the category.
        guard let type = try item.text("type"), type != "error", let setup = try item.text("setup") else { return nil }
        return FetchedJoke(setup: setup, punchline: try item.text("punchline"), categories: [type])
    }
}
