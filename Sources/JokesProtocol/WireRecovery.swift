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

        /// Whether the database was damaged. Otherwise its files were removed while the daemon ran.
        package var isOfDamage: Bool { !damagedFile.isEmpty }

        /// The lines of text for people: the reason, then the result.
        package var lines: [String] {
            if isOfDamage {
                return [
                    "after damage: \(reason)", "\(inWords); the next syncs fetch the jokes again",
                    "damaged file: \(damagedFile)",
                ]
            }
            return [reason, "\(inWords), and all jokes, in a new file"]
        }

        /// What was kept, and what was not.
        package var inWords: String {
            let kept = favorites == 1 ? "1 favorite kept" : "\(favorites) favorites kept"
            return favoritesLost == 0 ? kept : "\(kept), at least \(favoritesLost) lost"
        }
    }
}
