package import JokesCore

/// The types of the interface text, as Swift values that encode to it: JSON objects with absent members left out.
package enum Wire {
    /// The common members of `Joke` and `FavoriteJoke`.
    struct Content: Codable, Hashable, Sendable {
        var setup: String
        var punchline: String?
        var language: String
        var categories, flags: [String]
        var safety: String
        var url, author, date: String?

        init(_ content: JokeContent) {
            (setup, punchline) = (content.text.setup, content.text.punchline)
            (language, categories) = (content.language, content.categories)
            (flags, safety) = (content.flags.names, content.safety.rawValue)
            (url, author, date) = (content.url, content.author, content.upstreamDate)
        }

        /// Cleaned again, because the service at the socket may be another program.
        var content: JokeContent {
            JokeContent(
                text: punchline.map { .twoPart(setup: cleanText(setup), punchline: cleanText($0)) }
                    ?? .single(cleanText(setup)),
                language: cleanText(language), categories: categories.map(cleanText),
                flags: JokeFlags(names: flags), safety: Safety(rawValue: safety) ?? .unknown,
                url: url.map(cleanText), author: author.map(cleanText), upstreamDate: date.map(cleanText))
        }
    }

    /// `type Joke`.
    package struct Joke: Codable, Hashable, Sendable {
        package private(set) var joke: JokesCore.Joke

        package init(_ joke: JokesCore.Joke) { self.joke = joke }

        private enum CodingKeys: String, CodingKey { case id, notShown, favorite, seen, firstSeen }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            joke = JokesCore.Joke(
                id: JokeID(rawValue: cleanText(try members.decode(String.self, forKey: .id))),
                content: try Content(from: decoder).content,
                isFavorite: try members.decode(Bool.self, forKey: .favorite),
                isSeen: try members.decodeIfPresent(Bool.self, forKey: .seen) ?? false,
                firstSeen: try members.decode(Timestamp.self, forKey: .firstSeen))
            joke.notShown = try members.decodeIfPresent(String.self, forKey: .notShown).map(cleanText)
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(joke.id.rawValue, forKey: .id)
            try Content(joke.content).encode(to: encoder)
            try members.encodeIfPresent(joke.notShown, forKey: .notShown)
            try members.encode(joke.isFavorite, forKey: .favorite)
            if joke.isSeen { try members.encode(true, forKey: .seen) }
            try members.encode(joke.firstSeen, forKey: .firstSeen)
        }
    }

    /// `type FavoriteJoke`. The fingerprint stays with the daemon.
    package struct FavoriteJoke: Codable, Hashable, Sendable {
        package let favorite: Favorite

        package init(_ favorite: Favorite) { self.favorite = favorite }

        private enum CodingKeys: String, CodingKey { case id, favoritedAt, firstSeen, note }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            favorite = Favorite(
                id: JokeID(rawValue: cleanText(try members.decode(String.self, forKey: .id))),
                content: try Content(from: decoder).content,
                favoritedAt: try members.decode(Timestamp.self, forKey: .favoritedAt),
                firstSeen: try members.decode(Timestamp.self, forKey: .firstSeen),
                note: try members.decodeIfPresent(String.self, forKey: .note).map(cleanText))
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(favorite.id.rawValue, forKey: .id)
            try Content(favorite.content).encode(to: encoder)
            try members.encode(favorite.favoritedAt, forKey: .favoritedAt)
            try members.encode(favorite.firstSeen, forKey: .firstSeen)
            try members.encodeIfPresent(favorite.note, forKey: .note)
        }
    }

    /// `type FoundJoke`.
    package struct FoundJoke: Codable, Hashable, Sendable {
        package let found: JokesCore.FoundJoke

        package init(_ found: JokesCore.FoundJoke) { self.found = found }

        private enum CodingKeys: String, CodingKey { case joke, marks, snippet }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let joke = try members.decode(Wire.Joke.self, forKey: .joke).joke
            let marks = try members.decode([TextRange].self, forKey: .marks)
            let snippet = try members.decode(TextRange.self, forKey: .snippet)
            found = JokesCore.FoundJoke(joke: joke, marks: marks.compactMap(\.range), snippet: snippet.range)
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(Wire.Joke(found.joke), forKey: .joke)
            try members.encode(found.marks.map(TextRange.init), forKey: .marks)
            try members.encode(TextRange(found.snippet), forKey: .snippet)
        }
    }

    /// `type TextRange`.
    struct TextRange: Codable {
        var part: String
        var start, end: Int

        init(_ range: JokesCore.TextRange) {
            part = range.part.rawValue
            (start, end) = (range.bytes.lowerBound, range.bytes.upperBound)
        }

        /// Nil if it is invalid.
        var range: JokesCore.TextRange? {
            guard let part = JokesCore.TextRange.Part(rawValue: part), 0 <= start, start <= end else { return nil }
            return JokesCore.TextRange(part, start..<end)
        }
    }
}
