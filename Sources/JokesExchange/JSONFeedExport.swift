import JSON
import JokesCore

/// Writes JSON Feed 1.1, with one item per line. The member `_jokesd` has the joke in the format of jokesd.
struct JSONFeedExport: ExportWriter {
    static let version = "https://jsonfeed.org/version/1.1"

    private let title: String
    private var isEmpty = true

    init(holdsJokes: Bool) { title = holdsJokes ? "Jokes" : "Favorite jokes" }

    func begin() -> String { #"{"version":"\#(Self.version)","title":"\#(title)","items":["# }

    mutating func text(of record: ExchangeRecord) throws -> String {
        guard let (joke, favorite) = record.jokeWithFavorite else { return "" }
        defer { isEmpty = false }
        return (isEmpty ? "\n" : ",\n") + (try JSONEncoding.text(of: FeedItemRecord(joke, favorite)))
    }

    func end() -> String { isEmpty ? "]}\n" : "\n]}\n" }
}

private struct FeedItemRecord: Encodable {
    struct Author: Encodable { let name: String? }

    let id: String
    let url: String?
    let contentText: String
    let datePublished: String
    let authors: [Author]?
    let tags: [String]?
    let language: String?
    let ours: JokeRecord

    private enum CodingKeys: String, CodingKey {
        case id, url, authors, tags, language
        case contentText = "content_text"
        case datePublished = "date_published"
        case ours = "_jokesd"
    }

    init(_ joke: Joke, _ favorite: Favorite?) {
        let content = joke.content
        id = joke.id.rawValue
        url = content.details.url.flatMap { isWebAddress($0) ? $0 : nil }
        contentText = content.text.whole
        let upstreamDate = content.details.date.flatMap { Timestamp($0) == nil ? nil : $0 }
        datePublished = upstreamDate ?? joke.firstSeen.description
        authors = content.details.author.map { [Author(name: $0)] }
        tags = content.categories.isEmpty ? nil : content.categories
        language = content.language == "und" ? nil : content.language
        ours = favorite.map { JokeRecord($0) } ?? JokeRecord(joke)
    }
}
