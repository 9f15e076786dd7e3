package import JokesCore
import SQLite

/// The numbers of shown jokes that a selection has.
package struct JokeStatistics: Hashable, Sendable {
    package struct Named: Hashable, Sendable {
        package let name: String
        package let jokes: Int
        /// The number of those that were never served.
        package let unseen: Int
    }

    package var jokes = 0
    package var unseen = 0
    package var favorites = 0
    /// How often these jokes were served.
    package var served = 0
    /// Each list has the names with the most jokes first.
    package var sources: [Named] = []
    package var categories: [Named] = []
    package var languages: [Named] = []
}

extension JokeReader {
    /// Counts the shown jokes of a selection, in all and for the names with the most jokes. O(shown jokes)
    package func statistics(of selection: JokeSelection, maxNames: Int) throws(StoreError) -> JokeStatistics {
        try reading("count the shown jokes") {
            let jokes = "groups g WHERE g.source IS NOT NULL \(selection.conditions)"
            func named(_ name: String, from jokes: String) throws -> [JokeStatistics.Named] {
                try connection.prepare(
                    """
                    SELECT \(name), count(*), sum(g.round = 0) FROM \(jokes)
                    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?5 + 0 * ifnull(?4, 0)
                    """
                ).map(
                    selection.source, selection.category, selection.language, selection.maxLength, maxNames
                ) { row in .init(name: try row.read(0), jokes: try row.read(1), unseen: try row.read(2)) }
            }
            let totals = try connection.prepare(
                """
                SELECT count(*), ifnull(sum(g.round = 0), 0), ifnull(sum(g.serve_count), 0), ?4,
                    ifnull(sum(EXISTS (SELECT 1 FROM favorites f WHERE f.fingerprint = g.fingerprint)), 0)
                FROM \(jokes)
                """
            ).first(selection.source, selection.category, selection.language, selection.maxLength) { row in
                JokeStatistics(
                    jokes: try row.read(0), unseen: try row.read(1), favorites: try row.read(4), served: try row.read(2)
                )
            }
            var statistics = totals ?? JokeStatistics()
            statistics.sources = try named("(SELECT name FROM sources s WHERE s.key = g.source)", from: jokes)
            statistics.languages = try named("g.language", from: jokes)
            statistics.categories = try named(
                "c.name", from: "shown_categories c JOIN \(jokes) AND g.shown = c.joke")
            return statistics
        }
    }
}
