import HTTP
import JokesCore

/// https://official-joke-api.appspot.com, and others that run the same program.
///
/// It has no listing. `/jokes/random/N` answers with N different jokes, so that the whole catalogue is had by asking for
/// as many as there are; asking for more is answered, with status 200, by a text that says how many there are. That text
/// has an ETag which stays the same for as long as the number does: one conditional request tells that nothing came or
/// went. An edit that keeps the number would go unseen, hence the catalogue is fetched anyway from time to time.
///
/// The ids are positions in a file and change their meaning, so they are not taken for ids.
struct OfficialJokeAPI: JokeSource {
    private static let moreThanThereAre = 1_000_000
    private static let plausibleSizes = 1...100_000

    private struct Cursor: ServiceCursor {
        var unchanged = 0
        /// How many jokes there are, where the catalogue is fetched next.
        var size: Int?

        var isSound: Bool { OfficialJokeAPI.plausibleSizes.contains(size ?? 1) }
    }

    private struct Item: Decodable {
        let type: String
        let setup: String
        let punchline: String?
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        if let size = cursor?.size { return try await catalogue(of: size, from: position, limit: limit) }
        let isConditional = cursor.map { !$0.isFullSyncDue } ?? false
        let answer = try await upstream.get(
            "/jokes/random/\(Self.moreThanThereAre)", headers: ["Accept": "application/json, text/html"],
            validators: isConditional ? position.validators : SourceState.Validators())
        if answer.isNotModified, let cursor { return cursor.unchangedBatch(validators: position.validators) }
        // A server that is content with too great a number has answered with all there is.
        if answer.mediaType?.isJSON == true {
            return try batch(from: answer, of: nil, limit: limit, validators: SourceState.Validators())
        }
        return toCatalogue(of: try catalogueSize(in: answer), answer.storedValidators)
    }

    /// The batch that leads to the step which fetches the catalogue.
    private func toCatalogue(of size: Int, _ validators: SourceState.Validators) -> SourceBatch {
        var next = SourcePosition(validators: validators)
        next.setCursor(Cursor(size: size))
        return SourceBatch(position: next, progress: .more)
    }

    /// The second step, a request of its own, for the rate may allow one now and the next in an hour.
    private func catalogue(
        of size: Int, from position: SourcePosition, limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let count = min(size, max(1, limit ?? size))
        let answer = try await upstream.get("/jokes/random/\(count)")
        // Meanwhile there may be fewer. Each time there are, so that this comes to an end.
        if answer.mediaType?.isJSON != true, let fewer = try? catalogueSize(in: answer), fewer < count {
            return toCatalogue(of: fewer, SourceState.Validators())
        }
        return try batch(from: answer, of: size, limit: limit, validators: position.validators)
    }

    /// The number in `The passed path exceeds the number of jokes (451).`
    private func catalogueSize(in answer: HTTPResponse) throws(SourceError) -> Int {
        let text = String(decoding: answer.body.prefix(1000), as: UTF8.self)
        let number = text.split(separator: "number of jokes (").dropFirst().first?.prefix { $0 != ")" }
        guard let size = number.flatMap({ Int($0) }), Self.plausibleSizes.contains(size) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count")
        }
        return size
    }

    /// The jokes of an answer that should hold the whole catalogue, of that size where it is known.
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
            beginsSweep: true, refused: refused, position: next,
            // What was refused may have been a joke that is known, and is not gone.
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
