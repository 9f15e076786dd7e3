import HTTP
import JokesCore

/// Reads any service with JSON answers, as configured.
///
/// A full sync has a request for each page, and continues after a restart. Other syncs have one request that finds
/// changes: with validators if one answer has all jokes, otherwise by the first page, of another language each time.
/// Changes of later pages are found by a full sync from time to time.
struct JSONSource: JokeSource {
    private let mapping: JSONMapping
    private let languages: [String]
    private let categories: [String]
    private let requests: JSONRequests
    private let upstreams: [Upstream]

    /// The mapping of a service replaces that of the configuration.
    init(_ source: SourceConfiguration, _ upstream: Upstream, _ service: JSONMapping? = nil) {
        mapping = service ?? source.json ?? JSONMapping()
        languages = source.languages
        categories = source.lowercasedCategories
        requests = JSONRequests(url: upstream.url, languages: languages, mapping)
        upstreams = requests.origins.map(upstream.at)
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let stored = JSONCursor(position).flatMap { $0.fits(languages: upstreams.count) ? $0 : nil }
        let cursor = stored ?? JSONCursor()
        if mapping.strategy == .random { return try await randomJokes(cursor, limit) }
        if cursor.isIdle && !cursor.isFullSyncDue { return try await check(cursor, position.validators, limit) }
        let location = cursor.nextLocation(mapping)
        let answer = try await answer(at: location)
        return batch(of: try await page(of: answer, at: location), answer, cursor, limit)
    }

    // MARK: Steps

    private func randomJokes(_ cursor: JSONCursor, _ limit: Int?) async throws(SourceError) -> SourceBatch {
        var cursor = cursor
        let location = JSONCursor.firstLocation(cursor.unchanged % upstreams.count, mapping)
        cursor.unchanged += 1
        do throws(SourceError) {
            let answer = try await answer(at: location)
            let page = try await page(of: answer, at: location)
            return SourceBatch(
                jokes: Array(page.jokes.prefix(limit ?? .max)), refused: page.refused, position: position(cursor),
                progress: .random, permission: answer.permission)
        } catch {
            guard error.concernsOneAnswer else { throw error }
            return SourceBatch(refused: 1, position: position(cursor), progress: .randomFailed(error))
        }
    }

    /// Checks for changes, and begins another full sync if there are any.
    private func check(
        _ cursor: JSONCursor, _ validators: SourceState.Validators, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        var cursor = cursor
        let location = JSONCursor.firstLocation(cursor.unchanged % upstreams.count, mapping)
        let answer = try await answer(at: location, isSingleAnswer ? validators : SourceState.Validators())
        let page = answer.isNotModified ? nil : try await page(of: answer, at: location)
        guard let page, page.digest != cursor.firstPages.dropFirst(location.language).first else {
            return cursor.unchangedBatch(validators: position(cursor, answer).validators)
        }
        cursor.restart()
        if location.language == 0 { return batch(of: page, answer, cursor, limit) }
        return SourceBatch(position: position(cursor), progress: .more)
    }

    private func batch(of page: JSONPage, _ answer: HTTPResponse, _ cursor: JSONCursor, _ limit: Int?) -> SourceBatch {
        var cursor = cursor
        var batch = cursor.handle(page, limit: limit, mapping, languages: upstreams.count)
        batch.position = position(cursor, answer)
        batch.permission = answer.permission
        return batch
    }

    // MARK: Requests

    private func answer(
        at location: JSONCursor.Location, _ validators: SourceState.Validators = SourceState.Validators()
    ) async throws(SourceError) -> HTTPResponse {
        try await upstreams[location.language].get(try requests.path(at: location), validators: validators)
    }

    private func page(of answer: HTTPResponse, at location: JSONCursor.Location) async throws(SourceError) -> JSONPage {
        var page = try await JSONPage(
            try await answer.jsonRoot, from: answer.redactedURL, mapping, categories: categories,
            language: languages.isEmpty ? nil : languages[location.language])
        if let next = page.next { page.next = try requests.nextToStore(next, at: location) }
        let mustHaveJokes = mapping.strategy == .random || location == JSONCursor.firstLocation(0, mapping)
        if mustHaveJokes && page.itemCount == page.refused && !page.isDeclaredEmpty {
            let what = page.refused == 0 ? "no jokes" : "no joke that matches 'map'"
            throw SourceError(.empty, "\(answer.redactedURL) returned \(what)")
        }
        return page
    }

    /// True if one answer has all jokes, so its validators show changes.
    private var isSingleAnswer: Bool { mapping.strategy == .whole && upstreams.count == 1 }

    /// The position of the next step, with validators if they are useful.
    private func position(_ cursor: JSONCursor, _ answer: HTTPResponse? = nil) -> SourcePosition {
        let validators = isSingleAnswer && cursor.isIdle ? answer?.storedValidators : nil
        return SourcePosition(encoding: cursor, validators ?? SourceState.Validators())
    }
}
