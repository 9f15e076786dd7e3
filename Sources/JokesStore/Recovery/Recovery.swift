package import JokesCore

/// A recovery of the database or the journal.
package struct Recovery: Hashable, Sendable {
    /// The time of the recovery.
    package var at: Timestamp
    /// What was wrong.
    package var reason: String
    /// The new path of the old file; empty if there is none.
    package var damagedFile: String
    /// The number of favorites after the recovery.
    package var favorites: Int
    /// The minimum number of favorites that were lost.
    package var favoritesLost: Int

    package init(at: Timestamp, reason: String, damagedFile: String, favorites: Int = 0, favoritesLost: Int = 0) {
        self.at = at
        // What SQLite says of damage may have several lines.
        self.reason = cleanText(String(reason.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
        self.damagedFile = damagedFile
        self.favorites = favorites
        self.favoritesLost = favoritesLost
    }

    /// The maximum number of recoveries that are kept until a person has seen them.
    private static let maxUnseen = 16

    /// The recovery as a line of text.
    var line: String {
        let file = damagedFile.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        return ["\(at.microseconds)", "\(favorites)", "\(favoritesLost)", String(file), reason].joined(separator: "\t")
    }

    init?(line: some StringProtocol) {
        let parts = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let at = Int64(parts[0]), let favorites = Int(parts[1]), let lost = Int(parts[2]) else {
            return nil
        }
        self.init(
            at: Timestamp(microseconds: at), reason: String(parts[4]),
            damagedFile: String(parts[3]), favorites: favorites, favoritesLost: lost)
    }

    static func list(from text: String) -> [Recovery] {
        text.split(separator: "\n").compactMap { Recovery(line: $0) }
    }

    static func text(of list: [Recovery]) -> String {
        list.suffix(maxUnseen).map(\.line).joined(separator: "\n")
    }
}
