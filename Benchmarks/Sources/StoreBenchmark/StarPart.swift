import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// A star, from the call on an open connection to the answer: it is on disk then.
///
/// The same star once more goes the same way, from the socket to the store's thread and back, and writes nothing: what
/// the first took longer is its time on the disk.
enum StarPart: Part {
    static let name = "star"
    static let summary =
        "a star, called to acknowledged, the daemon on the client's processor and on another one; yardstick: 300 bytes appended to a file and synced"
    private static let calls = 300

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let placements = try Placement.possible()
        var ids = try Self.ids(calls * placements.count, from: daemon)[...]
        let file = try AppendedFile("\(cache.folder)/yardstick")
        var figures: [Figure] = []
        for placement in placements {
            // A star goes from the first thread of the daemon to the store's and back.
            try placement.holding([daemon.measuredProcess]) {
                let times = try times(of: ids.prefix(calls), daemon.connect(), beside: file)
                let yardstick = ("write and fdatasync", times.bare)
                figures += [
                    Figure(
                        part: name, what: "one star, \(placement.rawValue)", values: times.star, yardstick: yardstick),
                    Figure(
                        part: name, what: "of that on disk, \(placement.rawValue)", values: times.onDisk,
                        yardstick: yardstick),
                ]
            }
            ids = ids.dropFirst(calls)
        }
        try daemon.stop()
        return figures
    }

    private static func ids(_ count: Int, from daemon: MeasuredDaemon) throws -> [String] {
        let connection = try daemon.connect()
        var ids: [String] = []
        var cursor: String?
        while ids.count < count {
            let page = try connection.call(ListMethod.self, ListMethod.Parameters(cursor: cursor, limit: 100))
            ids += page.jokes.map(\.joke.id.rawValue)
            cursor = page.next
        }
        return ids
    }

    private static func times(
        of ids: ArraySlice<String>, _ connection: JokesConnection, beside file: borrowing AppendedFile
    ) throws -> (star: [Double], onDisk: [Double], bare: [Double]) {
        var times: (star: [Double], onDisk: [Double], bare: [Double]) = ([], [], [])
        // In turns: what else happens on the disk happens to both.
        for id in ids {
            times.bare.append(try milliseconds { try file.append() })
            let star = { _ = try connection.call(FavoriteMethod.self, FavoriteMethod.Parameters(ids: [id])) }
            // Viewers are told behind the answer and before the next call: none of the two waits for that.
            _ = try connection.call(StatusMethod.self, NoParameters())
            let first = try milliseconds(star)
            _ = try connection.call(StatusMethod.self, NoParameters())
            times.star.append(first)
            times.onDisk.append(first - (try milliseconds(star)))
        }
        return times
    }
}
