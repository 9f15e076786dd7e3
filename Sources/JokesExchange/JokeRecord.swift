import JokesCore

/// A joke in the format of jokesd, with the note and the time of a favorite if it is one. The journal of the store uses it too.
struct JokeRecord: Codable {
    private let id: JokeID
    private let content: JokeContent
    private let firstSeen: ExactTime?
    private let favoritedAt: ExactTime?
    private let note: String?

    init(_ favorite: Favorite) {
        (id, content, firstSeen) = (favorite.id, favorite.content, ExactTime(favorite.firstSeen))
        (favoritedAt, note) = (ExactTime(favorite.favoritedAt), favorite.note)
    }

    init(_ joke: Joke) {
        (id, content, firstSeen) = (joke.id, joke.content, ExactTime(joke.firstSeen))
        (favoritedAt, note) = (nil, nil)
    }

    private enum CodingKeys: String, CodingKey { case id, safety, firstSeen, favoritedAt, note }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        (id, content) = (try members.decode(JokeID.self, forKey: .id), try JokeContent(from: decoder))
        if let safety = try members.decodeIfPresent(String.self, forKey: .safety), Safety(rawValue: safety) == nil {
            throw DecodingError.dataCorruptedError(
                forKey: .safety, in: members, debugDescription: "expected safe, unsafe or unknown")
        }
        firstSeen = try members.decodeIfPresent(ExactTime.self, forKey: .firstSeen)
        favoritedAt = try members.decodeIfPresent(ExactTime.self, forKey: .favoritedAt)
        note = try members.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try content.encode(to: encoder, omitsUnknown: true)
        try members.encodeIfPresent(firstSeen, forKey: .firstSeen)
        try members.encodeIfPresent(favoritedAt, forKey: .favoritedAt)
        try members.encodeIfPresent(note, forKey: .note)
    }

    /// Nil without `favoritedAt`.
    var favorite: Favorite? {
        favoritedAt.map {
            Favorite(id: id, content: content, favoritedAt: $0.time, firstSeen: firstSeen?.time, note: note)
        }
    }

    /// Nil without `firstSeen`.
    var joke: Joke? {
        firstSeen.map { Joke(id: id, content: content, isFavorite: false, firstSeen: $0.time) }
    }
}

/// A hidden joke in the format of jokesd.
struct HiddenRecord: Codable {
    private let fingerprint: Fingerprint
    private let hiddenAt: ExactTime

    init(_ mark: HiddenMark) { (fingerprint, hiddenAt) = (mark.fingerprint, ExactTime(mark.hiddenAt)) }

    var mark: HiddenMark { HiddenMark(fingerprint: fingerprint, hiddenAt: hiddenAt.time) }
}

/// A time that is coded as text in RFC 3339, with all digits.
private struct ExactTime: Codable {
    let time: Timestamp

    init(_ time: Timestamp) { self.time = time }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a time such as 2026-02-28T09:30:00Z")
        }
        self.time = time
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(time.description)
    }
}
