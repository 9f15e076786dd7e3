import HTTP
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

    private struct Item: Decodable {
        let type: String
        let setup: String
        let punchline: String?
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        if let size = cursor?.size { return try await allJokes(size, from: position, limit: limit) }
        let isConditional = cursor.map { !$0.isFullSyncDue } ?? false
        let answer = try await upstream.get(
            "/jokes/random/\(Self.tooLargeNumber)", headers: ["Accept": "application/json, text/html"],
            validators: isConditional ? position.validators : SourceState.Validators())
        if answer.isNotModified, let cursor { return cursor.unchangedBatch(validators: answer.storedValidators) }
        // The server accepts too large a number, and has returned all jokes.
        if answer.mediaType?.isJSON == true {
            return try batch(from: answer, of: nil, limit: limit, validators: SourceState.Validators())
        }
        return continuing(with: try totalNumber(in: answer), answer.storedValidators)
    }

    /// Returns the batch before the step that fetches all jokes, for which the rate may require a pause.
    private func continuing(with size: Int, _ validators: SourceState.Validators) -> SourceBatch {
        var next = SourcePosition(validators: validators)
        next.setCursor(Cursor(size: size))
        return SourceBatch(position: next, progress: .more)
    }

    private func allJokes(
        _ size: Int, from position: SourcePosition, limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let count = min(size, max(1, limit ?? size))
        let answer = try await upstream.get("/jokes/random/\(count)")
        // There may be fewer jokes now. The number decreases each time, so this ends.
        if answer.mediaType?.isJSON != true, let fewer = try? totalNumber(in: answer), fewer < count {
            return continuing(with: fewer, SourceState.Validators())
        }
        return try batch(from: answer, of: size, limit: limit, validators: position.validators)
    }

    /// The number in `The passed path exceeds the number of jokes (451).`
    private func totalNumber(in answer: HTTPResponse) throws(SourceError) -> Int {
        let text = String(decoding: answer.body.prefix(1000), as: UTF8.self)
        let number = text.split(separator: "number of jokes (").dropFirst().first?.prefix { $0 != ")" }
        guard let size = number.flatMap({ Int($0) }), Self.plausibleSizes.contains(size) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count")
        }
        return size
    }

    /// Returns the jokes of an answer with all jokes, and checks their number if it is known.
    private func batch(
        from answer: HTTPResponse, of size: Int?, limit: Int?, validators: SourceState.Validators
    ) throws(SourceError) -> SourceBatch {
        let items = try items(of: answer)
        // On an error `type` is the marker, on a joke it is the category.
        let jokes = items.elements.filter { $0.type != "error" }
        if jokes.isEmpty { throw SourceError(noJokesIn: answer) }
        let refused = items.refused + items.elements.count - jokes.count
        let taken = jokes.prefix(limit ?? .max)
        let isWhole = jokes.count + refused >= size ?? 0 && taken.count == jokes.count
        var next = SourcePosition(encoding: Cursor())
        if isWhole { next.validators = validators }
        return SourceBatch(
            jokes: taken.map { FetchedJoke(setup: $0.setup, punchline: $0.punchline, categories: [$0.type]) },
            beginsFullSync: true, refused: refused, position: next,
            // A refused item may be a known joke that still exists.
            progress: isWhole && refused == 0 ? .complete : .partial)
    }

    private func items(of answer: HTTPResponse) throws(SourceError) -> LossyArray<Item> {
        do throws(SourceError) {
            return try answer.decoded(as: LossyArray<Item>.self)
        } catch {
            guard let body = ErrorBody(answer), body.type == "error" else { throw error }
            throw SourceError(body, in: answer)
        }
    }
}
