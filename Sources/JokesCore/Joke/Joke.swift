/// A joke with everything that a row shows, and nothing else.
package struct Joke: Identifiable, Hashable, Sendable {
    package let id: JokeID
    package var content: JokeContent
    /// Why it is not shown, in words, with the command that changes it; nil if it is shown or this was not read.
    package var notShown: String?
    /// True if this joke or a duplicate is a favorite.
    package var isFavorite: Bool
    /// True if this joke or a duplicate was served as a random joke or as the joke of the day.
    package var isSeen: Bool
    /// When it was first stored.
    package var firstSeen: Timestamp

    package init(
        id: JokeID, content: JokeContent, isFavorite: Bool, isSeen: Bool = false, firstSeen: Timestamp
    ) {
        (self.id, self.content, self.isFavorite, self.isSeen) = (id, content, isFavorite, isSeen)
        self.firstSeen = firstSeen
    }
}

/// A joke with its history, as `Get` returns it.
package struct StoredJoke: Codable, Hashable, Sendable {
    package var joke: Joke
    package var fingerprint: Fingerprint
    /// When the source last returned it.
    package var lastSeen: Timestamp
    /// When a full sync of its source did not find it any more.
    package var missingSince: Timestamp?
    /// The duplicates, which are shown as this joke.
    package var duplicates: [JokeID]
    package var isHidden = false
    /// How often the joke and its duplicates were served as a random joke or as the joke of the day.
    package var serveCount = 0
    /// When it was last served; nil if it never was.
    package var lastServed: Timestamp?

    package init(
        joke: Joke, fingerprint: Fingerprint, lastSeen: Timestamp, missingSince: Timestamp?, duplicates: [JokeID]
    ) {
        (self.joke, self.fingerprint, self.lastSeen) = (joke, fingerprint, lastSeen)
        (self.missingSince, self.duplicates) = (missingSince, duplicates)
    }

    private enum CodingKeys: String, CodingKey {
        case joke, fingerprint, lastSeen, missingSince, duplicates, lastServed
        case isHidden = "hidden"
        case serveCount = "served"
    }
}

/// A hidden joke, also as `type HiddenJoke` of the interface.
package struct HiddenJoke: Codable, Hashable, Sendable {
    package var joke: Joke
    package var hiddenAt: Timestamp

    package init(joke: Joke, hiddenAt: Timestamp) { (self.joke, self.hiddenAt) = (joke, hiddenAt) }
}
