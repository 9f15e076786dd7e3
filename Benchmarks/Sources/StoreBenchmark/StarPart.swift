import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// A new favorite, from the call on an open connection to the answer, which comes after the sync to disk.
///
/// Making the same joke a favorite again takes the same path, from the socket to the thread of the store and back, but
/// writes nothing. The difference between both is the time of the disk.
enum StarPart: Part {
    static let name = "star"
    static let summary =
        "a favorite, from call to answer, with the daemon on the client's processor and on another; yardstick: 300 bytes appended to a file and synced"
    private static let calls = 300

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let placements = try Placement.possible()
        var ids = try Self.ids(calls * placements.count, from: daemon)[...]
        let file = try AppendedFile("\(cache.folder)/yardstick")
        var figures: [Figure] = []
        for placement in placements {
            // The call goes from the first thread of the daemon to the thread of the store and back.
            try placement.holding([daemon.measuredProcess]) {
                let times = try times(of: ids.prefix(calls), daemon.connect(), beside: file)
                let yardstick = ("write and fdatasync", times.bare)
                figures += [
                    Figure(
                        part: name, what: "one favorite, \(placement.rawValue)", values: times.star,
                        yardstick: yardstick),
                    Figure(
                        part: name, what: "of that for the disk, \(placement.rawValue)", values: times.onDisk,
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
            ids += page.jokes.map(\.id.rawValue)
            cursor = page.next
        }
        return ids
    }

    private static func times(
        of ids: ArraySlice<String>, _ connection: JokesConnection, beside file: borrowing AppendedFile
    ) throws -> (star: [Double], onDisk: [Double], bare: [Double]) {
        var times: (star: [Double], onDisk: [Double], bare: [Double]) = ([], [], [])
        // The two take turns, so that other load on the disk affects both.
        for id in ids {
            times.bare.append(try milliseconds { try file.append() })
            let star = { _ = try connection.call(FavoriteMethod.self, FavoriteMethod.Parameters(ids: [id])) }
            // Viewers are notified after the answer and before the next call, so neither call waits for that.
            _ = try connection.call(StatusMethod.self, NoParameters())
            let first = try milliseconds(star)
            _ = try connection.call(StatusMethod.self, NoParameters())
            times.star.append(first)
            times.onDisk.append(first - (try milliseconds(star)))
        }
        return times
    }
}
