import Glibc
import Measuring

/// The bytes that a watcher receives for a change, beside the whole snapshot.
enum BytesPart: Part {
    static let name = "bytes"
    static let summary = "bytes to a watcher for a favorite and for a new joke; yardstick: the whole snapshot"

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let source = try GrowingSource(in: cache.folder)
        let daemon = try await source.daemon(on: cache.folder)
        let watcher = try RawConnection(to: daemon.socket)
        try watcher.send(ChangePart.watch)
        let whole = [Double(try watcher.receiveMessage().count)]
        let stars = try StarCalls(to: daemon)
        try stars.next()
        let star = try watcher.receiveMessage().count
        try stars.next()
        let unstar = try watcher.receiveMessage().count
        let joke = try source.grow()
        let refresh = try RawConnection(to: daemon.socket)
        try refresh.send(RawConnection.call("Refresh", more: true))
        var messages: [[UInt8]] = []
        repeat { messages.append(try watcher.receiveMessage()) } while !messages[messages.count - 1].says(joke)
        let brought = messages[messages.count - 1].count
        try refresh.receiveMessage(saying: "succeeded")
        usleep(100_000)
        while watcher.waitingBytes > 0 { messages.append(try watcher.receiveMessage()) }
        try daemon.stop()
        let figures = [
            ("a new favorite", star), ("a removed favorite", unstar),
            ("the message with a new joke", brought),
            ("all \(messages.count) messages of its refresh", messages.reduce(0) { $0 + $1.count }),
        ]
        return figures.map { what, bytes in
            Figure(
                part: name, what: what, values: [Double(bytes)], yardstick: ("a whole snapshot", whole), unit: "bytes")
        }
    }
}

extension [UInt8] {
    fileprivate func says(_ text: [UInt8]) -> Bool {
        withUnsafeBytes { $0.contains(text) }
    }
}
