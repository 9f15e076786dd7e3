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
    static let summary = "a star, called to acknowledged; yardstick: 4096 bytes appended to a file and synced"
    private static let calls = 300

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let connection = try daemon.connect()
        var ids: [String] = []
        var cursor: String?
        while ids.count < calls {
            let page = try connection.call(ListMethod.self, ListMethod.Parameters(cursor: cursor, limit: 100))
            ids += page.jokes.map(\.joke.id.rawValue)
            cursor = page.next
        }
        let file = try AppendedFile("\(cache.folder)/yardstick")
        var times: [Double] = []
        var onDisk: [Double] = []
        var yardstick: [Double] = []
        // In turns: what else happens on the disk happens to both.
        for id in ids.prefix(calls) {
            yardstick.append(try milliseconds { try file.append() })
            let star = { _ = try connection.call(FavoriteMethod.self, FavoriteMethod.Parameters(id: id)) }
            // Viewers are told behind the answer and before the next call: none of the two waits for that.
            _ = try connection.call(StatusMethod.self, NoParameters())
            let first = try milliseconds(star)
            _ = try connection.call(StatusMethod.self, NoParameters())
            times.append(first)
            onDisk.append(first - (try milliseconds(star)))
        }
        try daemon.stop()
        return [
            Figure(part: name, what: "one star", values: times, yardstick: ("write and fdatasync", yardstick)),
            Figure(part: name, what: "of that on disk", values: onDisk, yardstick: ("write and fdatasync", yardstick)),
        ]
    }
}
