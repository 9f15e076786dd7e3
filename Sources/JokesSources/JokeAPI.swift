import HTTP
import JSON
import JokesCore

/// Reads https://v2.jokeapi.dev and other servers with the same program.
///
/// `/info` has the highest ID of each language. A full sync requests `/info`, and then each range of ten IDs, the
/// maximum of one answer. Removed IDs leave gaps. The answer for a range without jokes is error 106 with status 200. If
/// `/info` has not changed, a sync has this one request. Edited jokes do not change it, so there is a full sync from
/// time to time.
///
/// IDs are unique within a language, so the ID of a joke is `en:8`. All jokes are fetched with their flags, so the
/// filter can change without a sync. Requests have `safe-mode` only if the filter of the source requires safe jokes. The
/// normalizer checks the rating again, because some safe jokes have flags.
struct JokeAPI: JokeSource {
    /// The maximum plausible ID, many times the real one. It limits the requests of a full sync.
    private static let maxID = 19_999
    /// The maximum of `amount`.
    private static let windowSize = 10

    private struct Cursor: ServiceCursor {
        /// The content of `/info` at the beginning of the full sync. A cursor with the former name `catalogue` is not
        /// valid, so a full sync replaces the ratings of older releases, which counted in all languages.
        var catalog: JokeAPICatalog
        /// The index of the current language; the number of languages at the end.
        var language = 0
        var nextID = 0
        /// The number of requested jokes in the current language and in all languages, and the number of other items.
        var read = 0
        var readBefore = 0
        var refused = 0
        /// True if a language had no jokes.
        var hasVainLanguage = false
        var unchanged = 0

        var isPlausible: Bool {
            (0...catalog.lastIDs.count).contains(language)
                && catalog.lastIDs.allSatisfy { (-1...JokeAPI.maxID).contains($0) }
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
        guard let cursor = Cursor(position), cursor.catalog.lastIDs.count == languages.count else {
            return try await checkForChanges(since: nil)
        }
        guard let next = next(after: cursor) else { return try await checkForChanges(since: cursor) }
        return try await continueFullSync(cursor, at: next, limit: limit)
    }

    /// Begins a full sync, unless nothing has changed.
    private func checkForChanges(since last: Cursor?) async throws(SourceError) -> SourceBatch {
        let answer = try await upstream.get("/info")
        if let body = ErrorBody(answer), body.isError { throw SourceError(body, in: answer) }
        let catalog = try await JokeAPICatalog(
            answer, languages: languages, categories: categories, maxID: Self.maxID)
        if let last, last.catalog == catalog, !last.isFullSyncDue { return last.unchangedBatch() }
        return SourceBatch(
            beginsFullSync: true, position: SourcePosition(encoding: Cursor(catalog: catalog)), progress: .more)
    }

    // MARK: Full sync

    /// Returns the rest of the IDs in this language, or those in the next one with jokes; nil at the end.
    private func next(after cursor: Cursor) -> (language: Int, ids: ClosedRange<Int>)? {
        for language in languages.indices.dropFirst(cursor.language) {
            let first = language == cursor.language ? cursor.nextID : 0
            let last = cursor.catalog.lastIDs[language]
            if first <= last { return (language, first...last) }
        }
        return nil
    }

    private func continueFullSync(
        _ start: Cursor, at position: (language: Int, ids: ClosedRange<Int>), limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let width = min(Self.windowSize, max(1, limit ?? .max), position.ids.count)
        let ids = position.ids.lowerBound...(position.ids.lowerBound + width - 1)
        let language = languages[position.language]
        let (items, unreadable) = try await items(of: ids, in: language)
        var seen: Set<Int> = []
        // Newer jokes have higher IDs, so each range is newer than the previous one.
        let jokes = items.filter { isRequested($0, ids) && seen.insert($0.id).inserted }
            .sorted { $0.id > $1.id }.map(\.joke)
        let refused = unreadable + items.count - jokes.count
        var cursor = start
        cursor.language = position.language
        cursor.nextID = ids.upperBound + 1
        cursor.read += jokes.count
        cursor.refused += refused
        let next = next(after: cursor)
        if next?.language != position.language {
            cursor.hasVainLanguage = cursor.hasVainLanguage || cursor.read == 0
            cursor.readBefore += cursor.read
            cursor.read = 0
            cursor.language = next?.language ?? languages.count
            cursor.nextID = 0
        }
        // If no range has a joke although /info states some, the service has a problem, and the full sync begins again.
        // One language of several may have no jokes of the requested categories.
        let mustBeginAgain = next == nil && cursor.readBefore == 0
        return SourceBatch(
            jokes: jokes, beginsPass: true, refused: refused,
            position: mustBeginAgain ? SourcePosition() : SourcePosition(encoding: cursor),
            // A refused item may be a known joke that still exists.
            progress: next != nil ? .more : cursor.hasVainLanguage || cursor.refused > 0 ? .partial : .complete)
    }

    private func items(
        of ids: ClosedRange<Int>, in language: String
    ) async throws(SourceError) -> (items: [JokeAPIItem], refused: Int) {
        let names = categories.isEmpty ? "Any" : categories.joined(separator: ",")
        let answer = try await upstream.get(
            "/joke/\(names)?lang=\(language)&idRange=\(ids.lowerBound)-\(ids.upperBound)"
                + "&amount=\(Self.windowSize)" + (isSafeOnly ? "&safe-mode" : ""))
        if let body = ErrorBody(answer), body.isError {
            guard body.saysThatNoJokeMatches else { throw SourceError(body, in: answer) }
            return ([], 0)
        }
        let root = try await answer.jsonRoot
        let list = root.member("jokes")
        if list == nil && root.member("type") != nil {
            let item = try? JokeAPIItem(root, in: language)
            return ([item].compactMap(\.self), item == nil ? 1 : 0)
        }
        let (items, refused) = try await answer.items(of: list) { item throws(JSONError) in
            try JokeAPIItem(item, in: language)
        }
        if items.isEmpty && refused == 0 { throw SourceError(noJokesIn: answer) }
        return (items, refused)
    }

    /// A joke outside the requested range would be confused with another.
    private func isRequested(_ item: JokeAPIItem, _ ids: ClosedRange<Int>) -> Bool {
        ids.contains(item.id) && (categories.isEmpty || categories.contains(item.category.lowercased()))
    }
}
