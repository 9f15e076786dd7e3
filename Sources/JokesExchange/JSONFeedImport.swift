import JSON
import JokesCore

/// Reads JSON Feed 1 and 1.1.
///
/// An exported item is a favorite if it has the time of one, otherwise a joke. All items of other feeds become favorites.
struct JSONFeedImport {
    let bytes: [UInt8]
    let now: Timestamp

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        var document = try JSONFeed(try JSONDocument(bytes).root)
        var items: [(value: JSONValue, time: Timestamp?)] = []
        for value in document.items.elements {
            let item = try Self.item(value)
            document.feed.count(item)
            items.append((value, item.time))
        }
        for (value, _) in Feed.newestFirst(items, \.time) {
            let item = try Self.item(value)
            guard let joke = document.feed.joke(item) else {
                throw RefusedRecord(offset: value.offset, reason: "the text is empty")
            }
            try body(try record(joke, item.export).checked(at: value.offset))
        }
    }

    /// A file has no address of its own, so links must be complete.
    private static func item(_ value: JSONValue) throws(JSONError) -> FeedItem {
        try FeedItem(value) { link, _ in
            let start = link.prefix(8).lowercased()
            return start.hasPrefix("https://") || start.hasPrefix("http://") ? link : nil
        }
    }

    private func record(_ joke: FetchedJoke, _ export: JokeExport?) -> ExchangeRecord {
        let content = JokeContent(
            text: joke.punchline.map { .twoPart(setup: joke.setup, punchline: $0) } ?? .single(joke.setup),
            language: joke.language ?? "und", categories: joke.categories, flags: JokeFlags(names: joke.flags),
            safety: joke.safety ?? .unknown, url: joke.url ?? export?.url, author: joke.author,
            upstreamDate: export == nil ? joke.date : export?.date)
        guard let export else { return importedFavorite(content, now: now) }
        guard let favoritedAt = export.favoritedAt else {
            return .joke(Joke(id: export.id, content: content, isFavorite: false, firstSeen: export.firstSeen ?? now))
        }
        return .favorite(
            Favorite(
                id: export.id, content: content, favoritedAt: favoritedAt, firstSeen: export.firstSeen,
                note: export.note))
    }
}
