/// A joke as a row shows it: nothing in it changes while what the row shows stays the same.
package struct Joke: Identifiable, Hashable, Sendable {
    package let id: JokeID
    package var content: JokeContent
    /// True where this joke, or one of the same group, is a favorite.
    package var isStarred: Bool
    /// When it first came to this cache.
    package var firstSeen: Timestamp

    package init(id: JokeID, content: JokeContent, isStarred: Bool, firstSeen: Timestamp) {
        self.id = id
        self.content = content
        self.isStarred = isStarred
        self.firstSeen = firstSeen
    }
}

/// A joke with its history, as `Get` shows it.
package struct StoredJoke: Hashable, Sendable {
    package var joke: Joke
    package var fingerprint: Fingerprint
    /// When an upstream last served it.
    package var lastSeen: Timestamp
    /// Since when a complete sweep of its source no longer finds it.
    package var missingSince: Timestamp?
    /// The other jokes of its group, shown as this one.
    package var duplicates: [JokeID]

    package init(
        joke: Joke, fingerprint: Fingerprint, lastSeen: Timestamp, missingSince: Timestamp?, duplicates: [JokeID]
    ) {
        self.joke = joke
        self.fingerprint = fingerprint
        self.lastSeen = lastSeen
        self.missingSince = missingSince
        self.duplicates = duplicates
    }
}
