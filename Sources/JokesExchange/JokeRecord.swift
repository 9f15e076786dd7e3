import JokesCore

/// A joke in the format of jokesd, with the note and the time of a favorite if it is one. The journal of the store uses it too.
struct JokeRecord: Codable {
    private let id: JokeID
    private let content: JokeContent
    private let firstSeen: String?
    private let favoritedAt: String?
    private let note: String?
    /// A rating of another name than those of jokesd.
    private var hasUnknownSafety = false

    init(_ favorite: Favorite) {
        (id, content, firstSeen) = (favorite.id, favorite.content, favorite.firstSeen.description)
        (favoritedAt, note) = (favorite.favoritedAt.description, favorite.note)
    }

    init(_ joke: Joke) {
        (id, content, firstSeen) = (joke.id, joke.content, joke.firstSeen.description)
        (favoritedAt, note) = (nil, nil)
    }

    private enum CodingKeys: String, CodingKey { case id, safety, firstSeen, favoritedAt, note }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        (id, content) = (try members.decode(JokeID.self, forKey: .id), try JokeContent(from: decoder))
        let safety = try members.decodeIfPresent(String.self, forKey: .safety)
        hasUnknownSafety = safety.map { Safety(rawValue: $0) == nil } ?? false
        firstSeen = try members.decodeIfPresent(String.self, forKey: .firstSeen)
        favoritedAt = try members.decodeIfPresent(String.self, forKey: .favoritedAt)
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

    var isFavorite: Bool { favoritedAt != nil }

    func favorite() throws(WrongMember) -> Favorite {
        try checkSafety()
        return Favorite(
            id: id, content: content, favoritedAt: try time(favoritedAt, "favoritedAt"),
            firstSeen: firstSeen == nil ? nil : try time(firstSeen, "firstSeen"), note: note)
    }

    func joke() throws(WrongMember) -> Joke {
        try checkSafety()
        return Joke(id: id, content: content, isFavorite: false, firstSeen: try time(firstSeen, "firstSeen"))
    }

    private func checkSafety() throws(WrongMember) {
        if hasUnknownSafety { throw WrongMember(name: "safety", reason: "expected safe, unsafe or unknown") }
    }
}

/// A hidden joke in the format of jokesd.
struct HiddenRecord: Codable {
    let fingerprint: String
    let hiddenAt: String

    init(_ mark: HiddenMark) {
        fingerprint = mark.fingerprint.hex
        hiddenAt = mark.hiddenAt.description
    }

    func mark() throws(WrongMember) -> HiddenMark {
        guard let fingerprint = Fingerprint(hex: fingerprint) else {
            throw WrongMember(name: "fingerprint", reason: "expected 64 hexadecimal digits")
        }
        return HiddenMark(fingerprint: fingerprint, hiddenAt: try time(hiddenAt, "hiddenAt"))
    }
}

/// The reason that a member of a record is not accepted.
struct WrongMember: Error {
    let name: String
    let reason: String
}

/// Returns the time of a member, which must be present.
private func time(_ text: String?, _ name: String) throws(WrongMember) -> Timestamp {
    guard let text else { throw WrongMember(name: name, reason: "missing") }
    guard let time = Timestamp(text) else {
        throw WrongMember(name: name, reason: "expected a time such as 2026-02-28T09:30:00Z")
    }
    return time
}
