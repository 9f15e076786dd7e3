extension Wire {
    /// `type Recovery`.
    package struct Recovery: Codable, Hashable, Sendable {
        package var at: Int64
        package var reason: String
        package var damagedFile: String
        package var favorites: Int
        package var favoritesLost: Int

        package init(at: Int64, reason: String, damagedFile: String, favorites: Int, favoritesLost: Int) {
            self.at = at
            self.reason = reason
            self.damagedFile = damagedFile
            self.favorites = favorites
            self.favoritesLost = favoritesLost
        }

        /// The lines of text for people: the reason, then the result.
        package var lines: [String] {
            [reason, inWords] + (damagedFile.isEmpty ? [] : ["the old file is now \(damagedFile)"])
        }

        /// The numbers of kept and lost favorites in words.
        package var inWords: String {
            let kept = favorites == 1 ? "1 favorite kept" : "\(favorites) favorites kept"
            return favoritesLost == 0 ? kept : "\(kept), at least \(favoritesLost) lost"
        }
    }
}
