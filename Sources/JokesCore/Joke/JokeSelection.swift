/// Sources, categories or languages to select by, also as `type NameSelection` of the interface. A string literal
/// is a selection of this one name.
package struct NameSelection: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// A joke must have one of these names; empty for any.
    package var only: [String]
    /// A joke must have none of these names.
    package var not: [String]

    package init(only: [String] = [], not: [String] = []) { (self.only, self.not) = (only, not) }

    package init(stringLiteral name: String) { self.init(only: [name]) }

    private enum CodingKeys: String, CodingKey { case only, not }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        only = try members.decodeIfPresent([String].self, forKey: .only) ?? []
        not = try members.decodeIfPresent([String].self, forKey: .not) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        if !only.isEmpty { try members.encode(only, forKey: .only) }
        if !not.isEmpty { try members.encode(not, forKey: .not) }
    }

    /// The name that each selected joke has; nil if several names are selected, or any.
    package var single: String? { only.count == 1 ? only.first : nil }

    package var all: [String] { only + not }

    /// Returns true if a joke is selected. `isNamed` returns true for the names of the joke.
    package func selects(_ isNamed: (String) -> Bool) -> Bool {
        (only.isEmpty || only.contains(where: isNamed)) && !not.contains(where: isNamed)
    }
}

/// A selection of the jokes that are shown; all of them if nothing is set. Its members are also those of the parameters
/// of several methods, and of `type View`.
package struct JokeSelection: Codable, Hashable, Sendable {
    package var source: NameSelection?
    /// Case-insensitive in ASCII.
    package var category: NameSelection?
    /// Language tags or their beginnings: `en` also selects `en-GB`.
    package var language: NameSelection?
    /// The maximum number of characters in all parts.
    package var maxLength: Int?
    /// True to select favorites only.
    package var favorites: Bool?
    /// True to select only jokes that were never served as random jokes or jokes of the day.
    package var unseen: Bool?

    package init(
        source: NameSelection? = nil, category: NameSelection? = nil, language: NameSelection? = nil,
        maxLength: Int? = nil, favorites: Bool? = nil, unseen: Bool? = nil
    ) {
        (self.source, self.category, self.language) = (source, category, language)
        (self.maxLength, self.favorites, self.unseen) = (maxLength, favorites, unseen)
    }

    /// True if no member is set, so every joke is selected.
    package var isEmpty: Bool { self == JokeSelection() }

    /// Returns true if a joke is selected. Also selects jokes that are not shown.
    package func selects(_ joke: Joke) -> Bool {
        (favorites != true || joke.isFavorite) && (unseen != true || !joke.isSeen) && selects(joke.id, joke.content)
    }

    /// Returns true if a favorite is selected. `unseen` selects every favorite.
    package func selects(_ favorite: Favorite) -> Bool { selects(favorite.id, favorite.content) }

    private func selects(_ id: JokeID, _ content: JokeContent) -> Bool {
        source?.selects { id.source == $0 } != false
            && category?.selects { name in content.categories.contains { $0.equalsIgnoringASCIICase(name) } } != false
            && language?.selects { "\(content.language)-".hasASCIIPrefix("\($0)-") } != false
            && maxLength.map { content.text.length <= $0 } != false
    }
}

extension String {
    private var asciiLowercase: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

    fileprivate func equalsIgnoringASCIICase(_ other: String) -> Bool { asciiLowercase == other.asciiLowercase }

    fileprivate func hasASCIIPrefix(_ prefix: String) -> Bool { asciiLowercase.starts(with: prefix.asciiLowercase) }
}
