package import JokesCore

/// A joke in the format of jokesd, with the note and the time of a favorite if it is one. The journal of the store uses it too.
package struct JokeRecord: Codable, Sendable {
    let id: String
    let setup: String
    let punchline: String?
    let language: String?
    let categories: [String]?
    let flags: [String]?
    let safety: String?
    let url: String?
    let author: String?
    let date: String?
    let firstSeen: String?
    let favoritedAt: String?
    let note: String?

    package init(_ favorite: Favorite) {
        self.init(
            favorite.id, favorite.content, firstSeen: favorite.firstSeen, favoritedAt: favorite.favoritedAt,
            note: favorite.note)
    }

    init(_ joke: Joke) { self.init(joke.id, joke.content, firstSeen: joke.firstSeen) }

    private init(
        _ id: JokeID, _ content: JokeContent, firstSeen: Timestamp, favoritedAt: Timestamp? = nil, note: String? = nil
    ) {
        self.id = id.rawValue
        setup = content.text.setup
        punchline = content.text.punchline
        language = content.language == "und" ? nil : content.language
        categories = content.categories.isEmpty ? nil : content.categories
        flags = content.flags.isEmpty ? nil : content.flags.names
        safety = content.safety.rawValue
        url = content.url
        author = content.author
        date = content.upstreamDate
        self.firstSeen = firstSeen.description
        self.favoritedAt = favoritedAt?.description
        self.note = note
    }

    package var favorite: Favorite {
        get throws {
            Favorite(
                id: JokeID(rawValue: id), content: try content,
                favoritedAt: try requiredTime(favoritedAt, CodingKeys.favoritedAt),
                firstSeen: try time(firstSeen, CodingKeys.firstSeen), note: note)
        }
    }

    var joke: Joke {
        get throws {
            Joke(
                id: JokeID(rawValue: id), content: try content, isFavorite: false,
                firstSeen: try requiredTime(firstSeen, CodingKeys.firstSeen))
        }
    }

    private var content: JokeContent {
        get throws {
            JokeContent(
                text: punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup),
                language: language ?? "und", categories: categories ?? [], flags: JokeFlags(names: flags ?? []),
                safety: try knownSafety(safety), url: url, author: author, upstreamDate: date)
        }
    }
}

func knownSafety(_ name: String?) throws -> Safety {
    enum Key: CodingKey { case safety }
    guard let safety = Safety(rawValue: name ?? Safety.unknown.rawValue) else {
        throw wrong(Key.safety, "expected safe, unsafe or unknown")
    }
    return safety
}

func time(_ text: String?, _ key: some CodingKey) throws -> Timestamp? {
    guard let text else { return nil }
    guard let time = Timestamp(text) else { throw wrong(key, "expected a time such as 2026-02-28T09:30:00Z") }
    return time
}

func requiredTime(_ text: String?, _ key: some CodingKey) throws -> Timestamp {
    guard let time = try time(text, key) else { throw wrong(key, "missing") }
    return time
}

/// Returns the error for a bad value of a record.
func wrong(_ key: some CodingKey, _ reason: String) -> DecodingError {
    DecodingError.dataCorrupted(DecodingError.Context(codingPath: [key], debugDescription: reason))
}
