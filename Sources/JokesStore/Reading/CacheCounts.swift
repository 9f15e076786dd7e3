package import JokesCore
import SQLite

/// Counts of jokes, favorites and hidden marks, which are read after each change.
package struct CacheCounts: Hashable, Sendable {
    /// The counts of one source.
    package struct OfSource: Hashable, Sendable {
        /// All cached jokes: shown jokes, filtered out jokes, hidden jokes, and duplicates.
        package let stored: Int
        /// The jokes that are shown with this source.
        package let shown: Int
        /// The jokes that the source has, but a full cache has evicted or refused.
        package let evicted: Int
        /// True if the source is no longer configured.
        package let isRemoved: Bool

        package init(stored: Int, shown: Int, evicted: Int = 0, isRemoved: Bool = false) {
            (self.stored, self.shown, self.evicted, self.isRemoved) = (stored, shown, evicted, isRemoved)
        }

        /// The counts of a source whose filtered out and hidden jokes are unknown, and are counted as duplicates.
        package var jokes: JokeCounts {
            JokeCounts(cached: stored, shown: shown, duplicates: stored - shown, evicted: evicted)
        }
    }

    /// The counts of each source, by its name.
    package let sources: [String: OfSource]
    /// The favorites that pass the filters.
    package let favorites: Int
    /// The favorites that the filters exclude.
    package let excludedFavorites: Int
    /// The hidden marks, also those of texts that are not stored.
    package let hidden: Int

    package init(sources: [String: OfSource], favorites: Int, excludedFavorites: Int = 0, hidden: Int = 0) {
        (self.sources, self.favorites, self.excludedFavorites, self.hidden) =
            (sources, favorites, excludedFavorites, hidden)
    }

    /// The number of favorites and hidden marks, which the cache keeps beyond its limit.
    package var userDataCount: Int { favorites + excludedFavorites + hidden }
    package var evicted: Int { sources.values.reduce(0) { $0 + $1.evicted } }
    package var stored: Int { sources.values.reduce(0) { $0 + $1.stored } }
    /// The number of shown jokes: groups that are not hidden and have a joke that passes the filters.
    package var shown: Int { sources.values.reduce(0) { $0 + $1.shown } }
}

extension JokeReader {
    /// Counts the jokes of each source, also the jokes that are not shown.
    ///
    /// O(sources + hidden · log n). Also reads an index entry for each joke that is filtered out.
    package func sourceCounts() throws(StoreError) -> [String: JokeCounts] {
        try reading("count the jokes") {
            var counts = try connection.sourceCounts().mapValues(\.jokes)
            try connection.prepare(
                """
                SELECT s.name, f.jokes, f.unrated FROM (
                    SELECT source, count(*) AS jokes, sum(safety = 'unknown') AS unrated
                    FROM jokes INDEXED BY jokes_filtered_out WHERE admitted = 0 GROUP BY source) f
                JOIN sources s ON s.key = f.source
                """
            ).map { row in (try row.read(0, as: String.self), try row.read(1), try row.read(2)) }
                .forEach { (name: String, jokes: Int, unrated: Int) in
                    counts[name]?.filteredOut = jokes
                    counts[name]?.unrated = unrated
                    counts[name]?.duplicates -= jokes
                }
            try connection.prepare(
                """
                SELECT s.name, count(*)
                FROM \(Schema.hiddenAndGroups) CROSS JOIN jokes j ON j.joke_group = g.key AND j.admitted = 1
                JOIN sources s ON s.key = j.source GROUP BY s.key
                """
            ).map { row in (try row.read(0, as: String.self), try row.read(1)) }
                .forEach { (name: String, jokes: Int) in
                    counts[name]?.hidden = jokes
                    counts[name]?.duplicates -= jokes
                }
            return counts
        }
    }

    /// Counts the jokes, the favorites and the hidden marks. O(sources), and O(favorites + hidden marks) with a very small
    /// factor.
    package func counts() throws(StoreError) -> CacheCounts {
        try reading("count the jokes") {
            let excludedFavorites = try connection.excludedFavorites
            return CacheCounts(
                sources: try connection.sourceCounts(),
                favorites: try connection.number("SELECT count(*) FROM favorites") - excludedFavorites,
                excludedFavorites: excludedFavorites, hidden: try connection.number("SELECT count(*) FROM hidden"))
        }
    }
}

extension Connection {
    /// The number of favorites that the filters exclude.
    var excludedFavorites: Int {
        get throws { try number("SELECT count(*) FROM favorites INDEXED BY favorites_filtered_out WHERE admitted = 0") }
    }

    fileprivate func sourceCounts() throws -> [String: CacheCounts.OfSource] {
        let sources = try prepare(
            """
            SELECT name, jokes, shown, evicted, order_index FROM sources
            WHERE jokes > 0 OR order_index <> \(Schema.removedOrderIndex)
            """
        ).map { row in
            let counts = CacheCounts.OfSource(
                stored: try row.read(1), shown: try row.read(2), evicted: try row.read(3),
                isRemoved: try row.read(4, as: Int.self) == Schema.removedOrderIndex)
            return (try row.read(0, as: String.self), counts)
        }
        return Dictionary(uniqueKeysWithValues: sources)
    }
}
