import JSON
import JokesCore

/// Reads JSON Feed 1 and 1.1.
///
/// All items become favorites, except for those that jokesd has exported as jokes.
struct JSONFeedImport {
    let bytes: [UInt8]
    let now: Timestamp

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let (head, list) = try Feed.json(try JSONDocument(bytes).root)
        var feed = head
        let values = list.elements.map(\.self)
        for value in values { feed.add(try Self.item(value)) }
        for index in feed.order {
            let offset = values[index].offset
            try body(try record(feed.items[index], of: feed, at: offset).checked(at: offset, of: bytes))
        }
    }

    /// A file has no address of its own, so links must be complete.
    private static func item(_ value: JSONValue) throws(JSONError) -> FeedItem {
        try FeedItem(value) { link, _ in isWebAddress(link) ? link : nil }
    }

    private func record(_ item: FeedItem, of feed: Feed, at offset: Int) throws -> ExchangeRecord {
        if let exported = item.exported {
            let record = try exported.decode(JokeRecord.self)
            if let favorite = record.favorite { return .favorite(favorite) }
            return .joke(try exported.required("firstSeen", record.joke))
        }
        guard let joke = feed.joke(item) else { throw ImportProblem("the text is empty", at: offset, of: bytes) }
        let content = JokeContent(
            text: JokeText(setup: joke.setup, punchline: joke.punchline),
            language: joke.language ?? "und", categories: joke.categories, flags: JokeFlags(names: joke.flags),
            safety: joke.safety ?? .unknown, details: joke.details)
        return importedFavorite(content, now: now)
    }
}
