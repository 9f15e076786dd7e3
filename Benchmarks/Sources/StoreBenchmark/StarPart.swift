import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Unix

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
            Figure(part: name, what: "one star", times: times, yardstick: ("write and fdatasync", yardstick)),
            Figure(part: name, what: "of that on disk", times: onDisk, yardstick: ("write and fdatasync", yardstick)),
        ]
    }
}

/// A file that grows by a page at a time, each synced.
private struct AppendedFile: ~Copyable {
    private let descriptor: Int32
    private let page = [UInt8](repeating: 7, count: 4096)

    init(_ path: String) throws {
        descriptor = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    }

    deinit {
        close(descriptor)
    }

    func append() throws {
        _ = try retrying("write") { write(descriptor, page, page.count) }
        _ = try retrying("fdatasync") { fdatasync(descriptor) }
    }
}
