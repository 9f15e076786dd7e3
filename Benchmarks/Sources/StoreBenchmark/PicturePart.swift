import JokesClient
import JokesCore
import JokesProtocol
import Measuring
import SQLite

/// The first picture of a viewer, where there are ten thousand favorites.
enum PicturePart: Part {
    static let name = "picture"
    static let summary =
        "connected to a first screenful, and to all, with 10,000 favorites; yardstick: connected to a status"
    private static let favorites = 10_000
    private static let rounds = 15

    private struct Interrupted: Error {}

    static func measure(_ cache: Cache) async throws -> [Figure] {
        try star(cache)
        var (firsts, cold, wholes, yardstick) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<rounds {
            // Each time a daemon that nobody has watched yet, and then once more.
            let daemon = try MeasuredDaemon(on: cache.folder)
            cold.append(try watch(daemon).first)
            let (first, whole) = try watch(daemon)
            firsts.append(first)
            wholes.append(whole)
            yardstick.append(
                try milliseconds { _ = try daemon.connect().call(StatusMethod.self, StatusMethod.Parameters()) })
            try daemon.stop()
        }
        let status = ("a status", yardstick)
        return [
            Figure(part: name, what: "the beginning, for the first viewer", values: cold, yardstick: status),
            Figure(part: name, what: "the beginning, for the next", values: firsts, yardstick: status),
            Figure(part: name, what: "all of it", values: wholes, yardstick: status),
        ]
    }

    /// All at once: one by one each would be synced.
    private static func star(_ cache: Cache) throws {
        let connection = try Connection(path: "\(cache.folder)/jokes.sqlite", .init(access: .writing))
        let columns = "setup, punchline, language, categories, flags, safety, url, author, upstream_date"
        try connection.write {
            try connection.prepare(
                """
                INSERT OR IGNORE INTO favorites (fingerprint, id, favorited_at, first_seen, \(columns))
                SELECT g.fingerprint, j.id, j.first_seen, j.first_seen, \(columns)
                FROM jokes j JOIN groups g ON g.shown = j.key ORDER BY j.key LIMIT ?
                """
            ).run(favorites)
        }
    }

    /// The milliseconds from nothing to the first piece and to the last.
    private static func watch(_ daemon: MeasuredDaemon) throws -> (first: Double, whole: Double) {
        let start = ContinuousClock.now
        var (first, whole) = (Double.nan, Double.nan)
        var picture = FollowedPicture()
        do {
            try daemon.connect().stream(WatchMethod.self, WatchMethod.Parameters()) { reply in
                let isWhole = try picture.take(reply)
                let passed = start.duration(to: .now) / .milliseconds(1)
                if first.isNaN { first = passed }
                if isWhole {
                    whole = passed
                    throw Interrupted()
                }
            }
        } catch is Interrupted {}
        return (first, whole)
    }
}
