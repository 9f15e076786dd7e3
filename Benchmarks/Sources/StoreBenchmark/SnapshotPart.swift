import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// The first snapshot of a viewer, with ten thousand favorites.
enum SnapshotPart: Part {
    static let name = "snapshot"
    static let summary =
        "from connection to the first piece of a snapshot and to the last, with 10,000 favorites; yardstick: from connection to a status"
    private static let favorites = 10_000
    private static let rounds = 15

    private struct Interrupted: Error {}

    static func measure(_ cache: Cache) async throws -> [Figure] {
        try cache.star(favorites)
        var (firsts, cold, wholes, yardstick) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<rounds {
            // Each round has a new daemon without watchers: a first connection, then a second one.
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
            Figure(part: name, what: "first piece, first viewer", values: cold, yardstick: status),
            Figure(part: name, what: "first piece, second viewer", values: firsts, yardstick: status),
            Figure(part: name, what: "whole snapshot", values: wholes, yardstick: status),
        ]
    }

    /// The milliseconds from the connection to the first piece and to the last.
    private static func watch(_ daemon: MeasuredDaemon) throws -> (first: Double, whole: Double) {
        let start = ContinuousClock.now
        var (first, whole) = (Double.nan, Double.nan)
        var snapshot = FollowedSnapshot()
        do {
            try daemon.connect().stream(WatchMethod.self, WatchMethod.Parameters()) { reply in
                let isWhole = try snapshot.take(reply) != nil
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
