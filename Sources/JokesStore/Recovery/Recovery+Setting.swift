import JokesCore

extension Recovery {
    /// The maximum number of reports that the database keeps.
    private static let maxReports = 16

    /// Reads a setting with recoveries, and cleans them; none if it is no list of recoveries.
    static func list(from text: String) -> [Recovery] {
        ([Recovery](stored: text) ?? []).map {
            Recovery(
                at: $0.at, reason: $0.reason, damagedFile: $0.damagedFile, favorites: $0.favorites,
                favoritesLost: $0.favoritesLost)
        }
    }

    /// Returns the setting for recoveries. Only the last `maxReports` are kept.
    static func text(of list: [Recovery]) throws -> String { try Array(list.suffix(maxReports)).stored() }
}
