import HTTP
import JokesCore

/// https://v2.jokeapi.dev, and others that run the same program.
///
/// `/info` says how far the ids of each language go; windows of ten ids, the most that one answer may hold, then give
/// every joke once: one request for `/info` and one for each window. An id that is gone leaves a gap, and a window of
/// gaps is answered with error 106 and status 200, as much else that is wrong is. While `/info` says the same, nothing
/// has come or gone and a sync is that one request. Texts and flags are edited under their ids without a trace in it,
/// so the sweep is made anyway from time to time.
///
/// Ids count within a language, hence `en:8`. Every joke is fetched, with its flags and its mark, so that a filter can
/// change without a fetch. Only where the source's own filter wants safe jokes is the service asked for them alone
/// (`safe-mode`), since then nothing else of it is ever shown; when that filter is taken away, the next sync sweeps.
/// What the service calls safe is looked at again by the normaliser, for some of it carries flags.
struct JokeAPI: JokeSource {
    /// The highest id believed, many times more than there are: no sweep takes more than this and a tenth of it.
    static let highestID = 19_999
    /// What `amount` may be at most.
    private static let windowSize = 10

    private struct Cursor: ServiceCursor {
        /// What `/info` said when the sweep began.
        var catalogue: JokeAPICatalogue
        /// The language that is swept, by its place among the languages; their count where the sweep is over.
        var language = 0
        var nextID = 0
        /// How many items were jokes that were asked for, of the language that is swept and of all before it, and how many
        /// items of the sweep were not.
        var read = 0
        var readBefore = 0
        var refused = 0
        /// Whether a language had none.
        var hasVainLanguage = false
        var unchanged = 0

        var isSound: Bool {
            (0...catalogue.lastIDs.count).contains(language)
                && catalogue.lastIDs.allSatisfy { (-1...JokeAPI.highestID).contains($0) }
                && [nextID, read, readBefore, refused].allSatisfy(reachableNumbers.contains)
        }
    }

    private let upstream: Upstream
    private let languages: [String]
    private let categories: [String]
    private let isSafeOnly: Bool

    init(_ source: SourceConfiguration, _ upstream: Upstream) {
        self.upstream = upstream
        languages = source.languages.isEmpty ? ["en"] : Set(source.languages.map { $0.lowercased() }).sorted()
        let categories = source.lowercasedCategories
        self.categories = categories.contains("any") ? [] : categories
        isSafeOnly = source.filter?.safe ?? false
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        guard let cursor = Cursor(position), cursor.catalogue.lastIDs.count == languages.count else {
            return try await begin(after: nil)
        }
        guard let place = place(in: cursor) else { return try await begin(after: cursor) }
        return try await window(at: place, from: cursor, limit: limit)
    }

    // MARK: What there is

    /// Begins a sweep, unless the last one saw the same catalogue.
    private func begin(after last: Cursor?) async throws(SourceError) -> SourceBatch {
        let answer = try await upstream.get("/info")
        if let body = ErrorBody(answer), body.isError { throw SourceError(body, in: answer) }
        let info = try answer.decoded(as: JokeAPIInfo.self)
        try check(categories, known: info.jokes.categories.elements, of: answer.redactedURL)
        let catalogue = try info.catalogue(of: languages, highestID: Self.highestID, answer)
        if let last, last.catalogue == catalogue, !last.isFullSyncDue { return last.unchangedBatch() }
        return SourceBatch(
            beginsSweep: true, position: SourcePosition(encoding: Cursor(catalogue: catalogue)), progress: .more)
    }

    // MARK: The sweep

    private struct Place {
        let language: Int
        let firstID: Int
        let lastID: Int
    }

    /// Where to go on: in the language that is swept, or in the next one that has jokes. Nil where none is left.
    private func place(in cursor: Cursor) -> Place? {
        for language in languages.indices.dropFirst(cursor.language) {
            let first = language == cursor.language ? cursor.nextID : 0
            let last = cursor.catalogue.lastIDs[language]
            if first <= last { return Place(language: language, firstID: first, lastID: last) }
        }
        return nil
    }

    private func window(
        at place: Place, from start: Cursor, limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let width = min(Self.windowSize, max(1, limit ?? .max), place.lastID - place.firstID + 1)
        let ids = place.firstID...(place.firstID + width - 1)
        let language = languages[place.language]
        let page = try await page(of: ids, in: language)
        let jokes = page.items.filter { isAskedFor($0, ids, language) }.firstOfEachID
        var cursor = start
        cursor.language = place.language
        cursor.nextID = ids.upperBound + 1
        let refused = page.refused + page.items.count - jokes.count
        cursor.read += jokes.count
        cursor.refused += refused
        let next = self.place(in: cursor)
        let isOver = next == nil
        if next?.language != place.language {
            cursor.hasVainLanguage = cursor.hasVainLanguage || cursor.read == 0
            cursor.readBefore += cursor.read
            cursor.read = 0
            cursor.language = next?.language ?? languages.count
            cursor.nextID = 0
        }
        // Where /info promises jokes and no window has one, the service is not well: that is begun again. Of one language
        // among several, the categories that are asked for may have none.
        let isInVain = isOver && cursor.readBefore == 0
        return SourceBatch(
            jokes: jokes.map { $0.fetched(in: language) }, refused: refused,
            position: isInVain ? SourcePosition() : SourcePosition(encoding: cursor),
            // What was refused may have been a joke that is known from an earlier sweep, and is not gone.
            progress: !isOver ? .more : cursor.hasVainLanguage || cursor.refused > 0 ? .partial : .complete)
    }

    private func page(of ids: ClosedRange<Int>, in language: String) async throws(SourceError) -> JokeAPIPage {
        let names = categories.isEmpty ? "Any" : categories.joined(separator: ",")
        let answer = try await upstream.get(
            "/joke/\(names)?lang=\(language)&idRange=\(ids.lowerBound)-\(ids.upperBound)"
                + "&amount=\(Self.windowSize)" + (isSafeOnly ? "&safe-mode" : ""))
        if let body = ErrorBody(answer), body.isError {
            guard body.saysThatNoJokeMatches else { throw SourceError(body, in: answer) }
            return JokeAPIPage()
        }
        let page = try answer.decoded(as: JokeAPIPage.self)
        if page.items.isEmpty && page.refused == 0 {
            throw SourceError(noJokesIn: answer)
        }
        return page
    }

    /// A joke that was not asked for would be taken for one of another place.
    private func isAskedFor(_ item: JokeAPIPage.Item, _ ids: ClosedRange<Int>, _ language: String) -> Bool {
        ids.contains(item.id) && (item.lang ?? language).lowercased() == language
            && (categories.isEmpty || categories.contains(item.category.lowercased()))
    }
}

extension [JokeAPIPage.Item] {
    fileprivate var firstOfEachID: [JokeAPIPage.Item] {
        var ids: Set<Int> = []
        return filter { ids.insert($0.id).inserted }
    }
}
