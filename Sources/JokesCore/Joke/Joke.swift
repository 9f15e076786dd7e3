/// A joke with everything that a row shows, and nothing else.
package struct Joke: Identifiable, Hashable, Sendable {
    package let id: JokeID
    package var content: JokeContent
    /// Whether this joke or a duplicate is a favorite.
    package var isFavorite: Bool
    /// When it was first stored.
    package var firstSeen: Timestamp

    package init(id: JokeID, content: JokeContent, isFavorite: Bool, firstSeen: Timestamp) {
        (self.id, self.content, self.isFavorite, self.firstSeen) = (id, content, isFavorite, firstSeen)
    }
}

/// A joke with its history, for `Get`.
package struct StoredJoke: Hashable, Sendable {
    package var joke: Joke
    package var fingerprint: Fingerprint
    /// When the source last returned it.
    package var lastSeen: Timestamp
    /// When a full sync of its source did not find it any more.
    package var missingSince: Timestamp?
    /// The duplicates, which are shown as this joke.
    package var duplicates: [JokeID]

    package init(
        joke: Joke, fingerprint: Fingerprint, lastSeen: Timestamp, missingSince: Timestamp?, duplicates: [JokeID]
    ) {
        (self.joke, self.fingerprint, self.lastSeen) = (joke, fingerprint, lastSeen)
        (self.missingSince, self.duplicates) = (missingSince, duplicates)
    }
}
