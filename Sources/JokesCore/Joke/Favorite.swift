/// A favorite joke, with a copy of the text that the source cannot change or remove.
package struct Favorite: Identifiable, Hashable, Sendable {
    /// The ID of the joke.
    package var id: JokeID
    package var content: JokeContent
    package var favoritedAt: Timestamp
    /// When the joke was first stored.
    package var firstSeen: Timestamp
    /// The note of the user; `Favorite.note(_:)` has its limits.
    package var note: String?

    /// `firstSeen` is `favoritedAt` if it is unknown.
    package init(
        id: JokeID, content: JokeContent, favoritedAt: Timestamp, firstSeen: Timestamp? = nil, note: String? = nil
    ) {
        (self.id, self.content, self.note) = (id, content, note)
        (self.favoritedAt, self.firstSeen) = (favoritedAt, firstSeen ?? favoritedAt)
    }
}

extension Favorite {
    /// The maximum length of a note in characters.
    package static let maxNoteLength = 500
    /// The maximum length of a note in bytes, because a character can have many code points.
    private static let maxNoteBytes = 8 * maxNoteLength

    /// Returns the cleaned note, which may be empty; nil if it is too long.
    package static func note(_ raw: String) -> String? {
        // A text this long cannot become short enough.
        guard raw.utf8.count <= 4 * maxNoteBytes else { return nil }
        let clean = cleanText(raw)
        return clean.count <= maxNoteLength && clean.utf8.count <= maxNoteBytes ? clean : nil
    }
}

/// A mark of a hidden joke, for all sources. Also `type HiddenMark` of the interface.
package struct HiddenMark: Codable, Hashable, Sendable {
    /// The fingerprint of the joke. The mark does not have its text.
    package var fingerprint: Fingerprint
    package var hiddenAt: Timestamp

    package init(fingerprint: Fingerprint, hiddenAt: Timestamp) {
        (self.fingerprint, self.hiddenAt) = (fingerprint, hiddenAt)
    }
}
