/// The name of a member of a JSON object.
package struct MemberName: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String

    package init(stringValue: String) { self.stringValue = stringValue }
    package init(stringLiteral name: String) { stringValue = name }

    package var intValue: Int? { nil }
    package init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<MemberName> {
    /// Returns the clean text of a member; nil if it is absent.
    func text(_ name: MemberName) throws -> String? { try decodeIfPresent(String.self, forKey: name).map(cleanText) }

    /// Returns the clean texts of a member; none if it is absent.
    func texts(_ name: MemberName) throws -> [String] {
        try decodeIfPresent([String].self, forKey: name)?.map(cleanText) ?? []
    }
}

/// A content is several members of the object of a joke: in messages, exports and the journal.
///
/// All texts are cleaned again, because anyone can write a file, and the service at a socket may be another program. An unknown
/// rating counts as none.
extension JokeContent: Codable {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        self.init(
            text: JokeText(
                setup: cleanText(try members.decode(String.self, forKey: "setup")),
                punchline: try members.text("punchline")),
            language: try members.text("language") ?? "und", categories: try members.texts("categories"),
            flags: JokeFlags(names: try members.texts("flags")),
            safety: try members.text("safety").flatMap(Safety.init) ?? .unknown)
        for detail in JokeDetail.allCases {
            details[detail] = try members.text(MemberName(stringValue: detail.rawValue))
        }
    }

    package func encode(to encoder: any Encoder) throws { try encode(to: encoder, omitsUnknown: false) }

    /// Encodes the members, with or without those that say nothing.
    package func encode(to encoder: any Encoder, omitsUnknown: Bool) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(text.setup, forKey: "setup")
        try members.encodeIfPresent(text.punchline, forKey: "punchline")
        if !omitsUnknown || language != "und" { try members.encode(language, forKey: "language") }
        if !omitsUnknown || !categories.isEmpty { try members.encode(categories, forKey: "categories") }
        if !omitsUnknown || !flags.isEmpty { try members.encode(flags.names, forKey: "flags") }
        try members.encode(safety.rawValue, forKey: "safety")
        for detail in JokeDetail.allCases {
            try members.encodeIfPresent(details[detail], forKey: MemberName(stringValue: detail.rawValue))
        }
    }
}

/// `type Joke` of the interface.
extension Joke: Codable {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        self.init(
            id: try members.decode(JokeID.self, forKey: "id"), content: try JokeContent(from: decoder),
            isFavorite: try members.decode(Bool.self, forKey: "favorite"),
            isSeen: try members.decodeIfPresent(Bool.self, forKey: "seen") ?? false,
            firstSeen: try members.decode(Timestamp.self, forKey: "firstSeen"))
        notShown = try members.text("notShown")
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(id, forKey: "id")
        try content.encode(to: encoder)
        try members.encodeIfPresent(notShown, forKey: "notShown")
        try members.encode(isFavorite, forKey: "favorite")
        if isSeen { try members.encode(true, forKey: "seen") }
        try members.encode(firstSeen, forKey: "firstSeen")
    }
}

/// `type FavoriteJoke` of the interface. The fingerprint stays with the daemon.
extension Favorite: Codable {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        self.init(
            id: try members.decode(JokeID.self, forKey: "id"), content: try JokeContent(from: decoder),
            favoritedAt: try members.decode(Timestamp.self, forKey: "favoritedAt"),
            firstSeen: try members.decode(Timestamp.self, forKey: "firstSeen"), note: try members.text("note"))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(id, forKey: "id")
        try content.encode(to: encoder)
        try members.encode(favoritedAt, forKey: "favoritedAt")
        try members.encode(firstSeen, forKey: "firstSeen")
        try members.encodeIfPresent(note, forKey: "note")
    }
}
