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
    private let requests: JSONRequests
    private let upstreams: [Upstream]

    init(_ source: SourceConfiguration, _ upstream: Upstream) {
        mapping = source.json ?? JSONMapping()
        languages = source.languages
        requests = JSONRequests(url: upstream.url, languages: languages, mapping)
        upstreams = requests.origins.map(upstream.at)
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let stored = JSONSweep(position).flatMap { $0.fits(languages: upstreams.count) ? $0 : nil }
        let sweep = stored ?? JSONSweep()
        if mapping.strategy == .random { return try await randomJokes(sweep, limit) }
        if sweep.isIdle && !sweep.isFullSyncDue { return try await checkForChanges(sweep, position.validators, limit) }
        let place = sweep.place ?? JSONSweep.firstPlace(0, mapping)
        let answer = try await answer(at: place)
        return batch(from: try await page(of: answer, at: place), answer, sweep, limit)
    }

    // MARK: Steps

    private func randomJokes(_ sweep: JSONSweep, _ limit: Int?) async throws(SourceError) -> SourceBatch {
        var sweep = sweep
        let place = JSONSweep.firstPlace(sweep.draws % upstreams.count, mapping)
        sweep.draws += 1
        do throws(SourceError) {
            let answer = try await answer(at: place)
            let page = try await page(of: answer, at: place)
            return SourceBatch(
                page.slices(0..<min(page.jokeCount, limit ?? .max), language: language(at: place)),
                refused: page.refused, position: position(sweep), progress: .draw, permission: answer.permission)
        } catch {
            guard error.concernsOneAnswer else { throw error }
            return SourceBatch(refused: 1, position: position(sweep), progress: .failedDraw(error))
        }
    }

    /// Begins another full sync, unless nothing has changed.
    private func checkForChanges(
        _ sweep: JSONSweep, _ validators: SourceState.Validators, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        var sweep = sweep
        let place = JSONSweep.firstPlace(sweep.unchanged % upstreams.count, mapping)
        let answer = try await answer(at: place, isSingleAnswer ? validators : SourceState.Validators())
        let page = answer.isNotModified ? nil : try await page(of: answer, at: place)
        guard let page, page.digest != sweep.firstPages[place.language] else {
            return sweep.unchangedBatch(validators: position(sweep, answer).validators)
        }
        sweep.restart()
        if place.language == 0 { return batch(from: page, answer, sweep, limit) }
        return SourceBatch(position: position(sweep), progress: .more)
    }

    private func batch(from page: JSONPage, _ answer: HTTPResponse, _ sweep: JSONSweep, _ limit: Int?) -> SourceBatch {
        var sweep = sweep
        let place = sweep.place ?? JSONSweep.firstPlace(0, mapping)
        let step = sweep.handle(page, limit: limit, mapping, languages: upstreams.count)
        return SourceBatch(
            page.slices(step.jokes, language: language(at: place)), beginsSweep: step.beginsSweep,
            refused: step.refused, position: position(sweep, answer), progress: step.progress,
            permission: answer.permission)
    }

    // MARK: Requests

    private func answer(
        at place: JSONSweep.Place, _ validators: SourceState.Validators = SourceState.Validators()
    ) async throws(SourceError) -> HTTPResponse {
        try await upstreams[place.language].get(
            try requests.path(at: place), headers: try requests.headers, validators: validators)
    }

    private func page(of answer: HTTPResponse, at place: JSONSweep.Place) async throws(SourceError) -> JSONPage {
        var page = try await JSONPage(try await answer.jsonRoot, from: answer.redactedURL, mapping)
        if let next = page.next { page.next = try requests.kept(next: next, at: place) }
        let mustHaveJokes = mapping.strategy == .random || place == JSONSweep.firstPlace(0, mapping)
        if mustHaveJokes && page.jokeCount == 0 && !page.isDeclaredEmpty {
            let what = page.refused == 0 ? "no jokes" : "no joke that matches 'map'"
            throw SourceError(.empty, "\(answer.redactedURL) returned \(what)")
        }
        return page
    }

    /// The language of jokes that do not state one: the requested language, if the source has several.
    private func language(at place: JSONSweep.Place) -> String? { languages.isEmpty ? nil : languages[place.language] }

    /// Whether one answer has all jokes, so its validators show changes.
    private var isSingleAnswer: Bool { mapping.strategy == .whole && upstreams.count == 1 }

    /// The position of the next step, with validators if they are useful.
    private func position(_ sweep: JSONSweep, _ answer: HTTPResponse? = nil) -> SourcePosition {
        var position = SourcePosition()
        if isSingleAnswer && sweep.isIdle, let answer { position.validators = answer.storedValidators }
        position.setCursor(sweep)
        return position
    }
}
