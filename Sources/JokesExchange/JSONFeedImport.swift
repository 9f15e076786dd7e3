import JSON
import JokesCore

/// Reads JSON Feed 1 and 1.1.
///
/// An exported item is a favorite if it has the time of one, otherwise a joke. All items of other feeds become favorites.
struct JSONFeedImport {
    let bytes: [UInt8]
    let now: Timestamp

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let root = try JSONDocument(bytes).root
        guard let version = root.text("version"), isJSONFeedVersion(version) else {
            throw RefusedRecord(offset: root.offset, reason: "not a JSON Feed of version 1")
        }
        guard let items = root.member("items") else {
            throw RefusedRecord(offset: root.offset, reason: "missing member 'items'")
        }
        guard items.kind == .array else { throw RefusedRecord(offset: items.offset, reason: "expected a list") }
        let language = root.text("language")
        for element in items.elements {
            let item = try element.decode(Item.self)
            try body(try item.record(language: language, now: now).checked(at: element.offset))
        }
    }

    private struct Item: Decodable {
        let id: JokeID?
        let content: JokeContent
        let firstSeen: Timestamp?
        let favoritedAt: Timestamp?
        let note: String?

        private enum CodingKeys: String, CodingKey {
            case title, url, author, authors, tags, language
            case contentText = "content_text"
            case contentHTML = "content_html"
            case externalURL = "external_url"
            case published = "date_published"
            case ours = "_jokesd"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let ours = try members.decodeIfPresent(FeedItemRecord.Extension.self, forKey: .ours)
            let authors =
                try members.decodeIfPresent([FeedItemRecord.Author].self, forKey: .authors)
                ?? members.decodeIfPresent(FeedItemRecord.Author.self, forKey: .author).map { [$0] } ?? []
            let names = authors.compactMap(\.name)
            let isOurs = ours?.id != nil
            content = JokeContent(
                text: try ours.flatMap(Self.text) ?? Self.text(of: members),
                language: try members.decodeIfPresent(String.self, forKey: .language) ?? "und",
                categories: try members.decodeIfPresent([String].self, forKey: .tags) ?? [],
                flags: JokeFlags(names: ours?.flags ?? []),
                safety: try knownSafety(ours?.safety),
                url: try members.decodeIfPresent(String.self, forKey: .url) ?? ours?.url
                    ?? members.decodeIfPresent(String.self, forKey: .externalURL),
                author: names.isEmpty ? nil : names.joined(separator: ", "),
                upstreamDate: isOurs ? ours?.date : try members.decodeIfPresent(String.self, forKey: .published))
            id = ours?.id.map(JokeID.init(rawValue:))
            firstSeen = try time(ours?.firstSeen, CodingKeys.ours)
            favoritedAt = try time(ours?.favoritedAt, CodingKeys.ours)
            note = ours?.note
        }

        private static func text(of ours: FeedItemRecord.Extension) -> JokeText? {
            ours.setup.map { setup in ours.punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup) }
        }

        private static func text(of members: KeyedDecodingContainer<CodingKeys>) throws -> JokeText {
            let title = try members.decodeIfPresent(String.self, forKey: .title).map(cleanText)
            let html = try members.decodeIfPresent(String.self, forKey: .contentHTML)
            let body =
                try members.decodeIfPresent(String.self, forKey: .contentText) ?? html.map(plainText(ofHTML:))
            return jokeText(title: title ?? "", body: cleanText(body ?? "")) ?? .single("")
        }

        func record(language: String?, now: Timestamp) -> ExchangeRecord {
            var content = content
            if content.language == "und", let language { content.language = language }
            guard let id else { return importedFavorite(content, now: now) }
            guard let favoritedAt else {
                return .joke(Joke(id: id, content: content, isFavorite: false, firstSeen: firstSeen ?? now))
            }
            return .favorite(
                Favorite(id: id, content: content, favoritedAt: favoritedAt, firstSeen: firstSeen, note: note))
        }
    }
}

/// Returns whether the text names a supported version of JSON Feed.
func isJSONFeedVersion(_ version: String) -> Bool {
    ["https://jsonfeed.org/version/1", "http://jsonfeed.org/version/1"].contains { start in
        version == start || version.hasPrefix(start + ".")
    }
}
