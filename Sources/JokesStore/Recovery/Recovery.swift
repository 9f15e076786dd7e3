package import JokesCore

/// What became of a damaged database.
package struct Recovery: Hashable, Sendable {
    /// When it was moved aside.
    package var at: Timestamp
    /// What is wrong with it.
    package var reason: String
    /// Where it is now.
    package var damagedFile: String
    package var favorites: Int
    /// At least so many favorites could not be read.
    package var favoritesLost: Int

    package init(at: Timestamp, reason: String, damagedFile: String, favorites: Int = 0, favoritesLost: Int = 0) {
        self.at = at
        // What SQLite says of damage may have several lines.
        self.reason = cleanText(String(reason.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
        self.damagedFile = damagedFile
        self.favorites = favorites
        self.favoritesLost = favoritesLost
    }

    /// More are not kept: somebody whose disk dies needs no list.
    private static let mostUnseen = 16

    /// A line of text, which `init(line:)` reads.
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
        list.suffix(mostUnseen).map(\.line).joined(separator: "\n")
    }
}
