import JokesCore

/// A joke in the format of jokesd, with the note and the time of a favorite if it is one. The journal of the store uses it too.
struct JokeRecord: Codable {
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
    private var favoritedAt: String?
    private var note: String?

    init(_ favorite: Favorite) {
        self.init(favorite.id, favorite.content, favorite.firstSeen)
        favoritedAt = favorite.favoritedAt.description
        note = favorite.note
    }

    init(_ joke: Joke) { self.init(joke.id, joke.content, joke.firstSeen) }

    private init(_ id: JokeID, _ content: JokeContent, _ firstSeen: Timestamp) {
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
    }

    var isFavorite: Bool { favoritedAt != nil }

    func favorite() throws(WrongMember) -> Favorite {
        Favorite(
            id: JokeID(rawValue: id), content: try content(), favoritedAt: try time(favoritedAt, "favoritedAt"),
            firstSeen: firstSeen == nil ? nil : try time(firstSeen, "firstSeen"), note: note)
    }

    func joke() throws(WrongMember) -> Joke {
        Joke(
            id: JokeID(rawValue: id), content: try content(), isFavorite: false,
            firstSeen: try time(firstSeen, "firstSeen"))
    }

    private func content() throws(WrongMember) -> JokeContent {
        guard let safety = Safety(rawValue: safety ?? "unknown") else {
            throw WrongMember(name: "safety", reason: "expected safe, unsafe or unknown")
        }
        return JokeContent(
            text: punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup),
            language: language ?? "und", categories: categories ?? [], flags: JokeFlags(names: flags ?? []),
            safety: safety, url: url, author: author, upstreamDate: date)
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
