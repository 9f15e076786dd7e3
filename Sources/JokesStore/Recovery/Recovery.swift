package import JokesCore

/// A report of a recovery of the database or the journal. The database keeps reports until a user has seen them.
package struct Recovery: Hashable, Sendable {
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
        self.reason = cleanText(Self.singleLine(reason))
        (self.damagedFile, self.favorites, self.favoritesLost) = (damagedFile, favorites, favoritesLost)
    }

    private static func singleLine(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// The maximum number of reports that the database keeps.
    private static let maxReports = 16

    /// The form in the database: one line, with tabs between the values.
    private var line: String {
        ["\(at.microseconds)", "\(favorites)", "\(favoritesLost)", Self.singleLine(damagedFile), reason]
            .joined(separator: "\t")
    }

    private init?(line: some StringProtocol) {
        let parts = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let at = Int64(parts[0]), let favorites = Int(parts[1]), let lost = Int(parts[2])
        else { return nil }
        self.init(
            at: Timestamp(microseconds: at), reason: String(parts[4]),
            damagedFile: String(parts[3]), favorites: favorites, favoritesLost: lost)
    }

    /// Reads a setting with recoveries, one per line. Ignores lines that are not recoveries.
    static func list(from text: String) -> [Recovery] {
        text.split(separator: "\n").compactMap { Recovery(line: $0) }
    }

    /// Returns the setting for recoveries. Only the last `maxReports` are kept.
    static func text(of list: [Recovery]) -> String {
        list.suffix(maxReports).map(\.line).joined(separator: "\n")
    }
}
