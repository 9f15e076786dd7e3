package import JokesCore

/// A report of a recovery of the database or the journal. The database keeps reports until a user has seen them.
package struct Recovery: Hashable, Codable, Sendable {
    package let at: Timestamp
    package let reason: String
    /// The path of the renamed damaged database, or of the copy of the damaged journal; empty if there is none.
    package var damagedFile: String
    /// The number of favorites after the recovery.
    package var favorites: Int
    /// The number of damaged lines of the journal that were lost. Each may have been a favorite, a note or a hidden mark.
    package let favoritesLost: Int

    init(at: Timestamp, reason: String, damagedFile: String = "", favorites: Int = 0, favoritesLost: Int = 0) {
        self.at = at
        // SQLite may describe damage in several lines.
        self.reason = cleanText(String(reason.map { $0.isNewline ? " " : $0 }))
        (self.damagedFile, self.favorites, self.favoritesLost) = (damagedFile, favorites, favoritesLost)
    }

    /// The maximum number of reports that the database keeps.
    private static let maxReports = 16

    /// Reads a setting with recoveries, and cleans them; none if it is no list of recoveries.
    static func list(from text: String) -> [Recovery] {
        ([Recovery](stored: text) ?? []).map {
            Recovery(
                at: $0.at, reason: $0.reason, damagedFile: cleanText($0.damagedFile), favorites: $0.favorites,
                favoritesLost: $0.favoritesLost)
        }
    }

    /// Returns the setting for recoveries. Only the last `maxReports` are kept.
    static func text(of list: [Recovery]) throws -> String { try Array(list.suffix(maxReports)).stored() }
}
