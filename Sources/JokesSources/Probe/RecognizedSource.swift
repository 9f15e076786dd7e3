package import HTTP
import JSON
package import JokesCore
import JokesExchange

/// A source that was recognized from one answer: how it is configured, and its jokes.
package struct RecognizedSource: Sendable {
    /// The entry without a name and without a URL.
    package let entry: SourceEntry
    /// The jokes of the answer, read as the configured source reads them.
    package let batch: SourceBatch
    /// Remarks for people: sentences.
    package let notes: [String]
    /// The title of a feed.
    package private(set) var title: String?

    /// Recognizes JSON Feed, RSS, Atom, and jokes in other JSON, from the body and the headers of an answer, and from the
    /// requested URL, which is that of the answer by default.
    ///
    /// - Throws: `SourceError`: `unreadable` or `empty` for everything else. Its hint may name a feed of a web page.
    package init(_ answer: HTTPResponse, url: String? = nil) async throws(SourceError) {
        let start = answer.body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if answer.mayBeJSON, let start, "{[\"".utf8.contains(start) {
            try await self.init(json: answer, url: url ?? answer.url)
            return
        }
        do throws(SourceError) { try await self.init(feed: answer) } catch {
            guard let start, "{[\"".utf8.contains(start), error.code == .unreadable else { throw error }
            throw SourceError(
                .unreadable,
                "\(answer.redactedURL) returned JSON as \(answer.typeInWords): jokesd reads JSON only as "
                    + "application/json or text/plain")
        }
    }

    init(_ entry: SourceEntry, _ batch: SourceBatch, _ notes: [String]) {
        (self.entry, self.batch, self.notes) = (entry, batch, notes)
    }

    // MARK: Random jokes

    /// True if a second answer shows whether the service returns random jokes.
    var mayBeRandom: Bool {
        entry.type == SourceKind.json.rawValue && entry.strategy == nil && (2...100).contains(batch.jokes.count)
    }

    /// Returns the source with the strategy `random` if another answer of the same URL has other jokes.
    func compared(with other: RecognizedSource) -> RecognizedSource {
        if Set(batch.jokes.map(\.setup)) == Set(other.batch.jokes.map(\.setup)) { return self }
        var entry = entry
        let note = entry.setRandom("A second answer had other jokes")
        return RecognizedSource(entry, batch, notes + [note])
    }

    // MARK: Feeds

    private init(feed answer: HTTPResponse) async throws(SourceError) {
        var page = try await FeedPage(answer)
        var entry = SourceEntry(page.format == .json ? .jsonfeed : .rss)
        var notes = page.jokes.count + page.refused == 0 ? ["The feed has no items now."] : []
        if areHeadings(page.titles, ofItems: page.jokes.count) {
            page = try await FeedPage(answer, skipsTitles: true)
            entry.titles = "skip"
            notes.append("The titles of this feed are headings, so jokesd leaves them out (\"titles\": \"skip\").")
        }
        self.init(entry, page.batch(SourcePosition()), notes)
        title = page.title
    }

    // MARK: JSON

    private init(json answer: HTTPResponse, url: String) async throws(SourceError) {
        let root = try await answer.jsonRoot
        let version = root.optionalText("version") ?? ""
        // A lone number may be the version of anything.
        let isStated = version.contains("jsonfeed.org/version/") || answer.mediaType?.essence == "application/feed+json"
        if isStated && Feed.isKnownVersion(version) {
            try await self.init(feed: answer)
            return
        }
        // A long message of an error would be a joke.
        if root.optionalMember("error")?.bool == true, let body = ErrorBody(answer) {
            throw SourceError(body, in: answer)
        }
        guard var found = JSONRecognition(root) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON without jokes")
        }
        let page = try await JSONPage(root, from: answer.redactedURL, found.mapping)
        let isFile = answer.url.hasPrefix("file:")
        let note = isFile ? nil : found.entry.setStrategy(root, url: url, itemCount: page.itemCount)
        self.init(
            found.entry,
            SourceBatch(
                jokes: page.jokes, refused: page.refused, position: SourcePosition(), progress: .partial,
                permission: answer.permission),
            found.notes + [note].compactMap(\.self))
    }
}

/// Returns whether the titles of a feed are headings and not part of the jokes: most items have the same one, or titles that
/// differ only in numbers, months and weekdays.
private func areHeadings(_ titles: [String], ofItems count: Int) -> Bool {
    var uses: [String: Int] = [:]
    for title in titles { uses[pattern(of: title), default: 0] += 1 }
    guard let (pattern, most) = uses.max(by: { $0.value < $1.value }), most > count / 2 else { return false }
    // A date by itself is no joke. Otherwise, two equal setups may be two jokes.
    let words = pattern.split(separator: " ")
    let isDate = words.contains("@") || words.count >= 3
    if isDate && words.contains("#") && words.allSatisfy({ $0 == "#" || $0 == "@" }) { return true }
    return most >= (words.contains("#") ? 2 : 3)
}

/// Returns the words of a title in lowercase, with `#` for each number and `@` for each name of a month or weekday.
private func pattern(of title: String) -> String {
    let names = CivilDate.monthNames.map { $0.lowercased() } + ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    return title.split { !$0.isLetter && !$0.isNumber }.map { word in
        let ordinal = word.lowercased()
        if word.allSatisfy(\.isNumber)
            || ["st", "nd", "rd", "th"].contains(where: ordinal.hasSuffix) && word.first?.isNumber == true
        {
            return "#"
        }
        return names.contains { ordinal.hasPrefix($0) } ? "@" : ordinal
    }.joined(separator: " ")
}
