/// A report of a recovery of the database or the journal. The database keeps reports until a user has seen them. Also
/// `type Recovery` of the interface.
package struct Recovery: Hashable, Codable, Sendable {
    package let at: Timestamp
    package let reason: String
    /// The path of the renamed damaged database, or of the copy of the damaged journal; empty if there is none.
    package var damagedFile: String
    /// The number of favorites after the recovery.
    package var favorites: Int
    /// The number of damaged lines of the journal that were lost. Each may have been a favorite, a note or a hidden mark.
    package let favoritesLost: Int

    package init(
        at: Timestamp, reason: String, damagedFile: String = "", favorites: Int = 0, favoritesLost: Int = 0
    ) {
        self.at = at
        // SQLite may describe damage in several lines.
        self.reason = cleanText(String(reason.map { $0.isNewline ? " " : $0 }))
        self.damagedFile = cleanText(damagedFile)
        (self.favorites, self.favoritesLost) = (favorites, favoritesLost)
    }

    /// The lines of text for people: the reason, then the result.
    package var lines: [String] {
        [reason, inWords] + (damagedFile.isEmpty ? [] : ["the old file is now \(damagedFile)"])
    }

    /// The numbers of kept and lost favorites in words.
    package var inWords: String {
        let kept = "\(counted(favorites, "favorite")) kept"
        if favoritesLost == 0 { return kept }
        let lost =
            favoritesLost == 1
            ? "1 lost line may have been a favorite" : "\(favoritesLost) lost lines may have been favorites"
        return "\(kept), \(lost)"
    }
}
