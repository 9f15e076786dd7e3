/// Counts of the shown jokes of a selection, as `Statistics` returns them.
package struct JokeStatistics: Codable, Hashable, Sendable {
    package var jokes: Int
    /// The number of jokes that were never served.
    package var unseen: Int
    package var favorites: Int
    /// The number of times that these jokes were served.
    package var served: Int
    /// The names with shown jokes, those with the most first.
    package var sources, categories, languages: [NameCount]

    package init(
        jokes: Int = 0, unseen: Int = 0, favorites: Int = 0, served: Int = 0, sources: [NameCount] = [],
        categories: [NameCount] = [], languages: [NameCount] = []
    ) {
        (self.jokes, self.unseen, self.favorites, self.served) = (jokes, unseen, favorites, served)
        (self.sources, self.categories, self.languages) = (sources, categories, languages)
    }
}

/// The counts of the jokes with one source, category or language, also as `type NameCount` of the interface.
package struct NameCount: Codable, Hashable, Sendable {
    package var name: String
    package var jokes: Int
    /// The number of these jokes that were never served. In contrast, `first_seen` and `last_seen` of the database are the times
    /// at which the source returned a joke.
    package var unseen: Int

    package init(name: String, jokes: Int, unseen: Int) {
        (self.name, self.jokes, self.unseen) = (name, jokes, unseen)
    }
}
