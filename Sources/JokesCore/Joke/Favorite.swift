/// A joke somebody keeps: its own copy of the text, which no upstream can edit, renumber or remove.
package struct Favorite: Identifiable, Hashable, Sendable {
    /// The joke that was starred.
    package let id: JokeID
    package var content: JokeContent
    package var favoritedAt: Timestamp
    /// When the joke first came to the cache where it was starred.
    package var firstSeen: Timestamp
    /// What the person says about it; `Favorite.note(_:)` has the bounds.
    package var note: String?

    /// `firstSeen` is the time of the star where nothing else is known.
    package init(
        id: JokeID, content: JokeContent, favoritedAt: Timestamp, firstSeen: Timestamp? = nil, note: String? = nil
    ) {
        self.id = id
        self.content = content
        self.favoritedAt = favoritedAt
        self.firstSeen = firstSeen ?? favoritedAt
        self.note = note
    }
}

extension Favorite {
    /// Characters that a note has at most.
    package static let longestNote = 500
    /// Bytes that it has at most: one character may be a long heap of marks and joined signs.
    private static let longestNoteBytes = 8 * longestNote

    /// A note as it may be kept: clean, within the bounds. Empty where nothing is left of it.
    ///
    /// - Returns: Nil where it is longer than a note may be.
    package static func note(_ raw: String) -> String? {
        // No work is spent on what is so long that it cannot come out short.
        guard raw.utf8.count <= 4 * longestNoteBytes else { return nil }
        let clean = cleanText(raw)
        return clean.count <= longestNote && clean.utf8.count <= longestNoteBytes ? clean : nil
    }
}
