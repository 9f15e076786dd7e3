import Measuring

/// A new favorite, from the call until the last of 500 watchers has received it.
enum ChangePart: Part {
    static let name = "change"
    static let summary =
        "a favorite, from the call to the last of 500 watchers; yardstick: the same bytes by the echo server"
    static let watchers = 500
    static let watch = RawConnection.call("Watch", more: true)
    private static let rounds = 300

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        let audience = try Audience(watchers, at: daemon.socket, call: watch)
        let bare = try BareAudience(watchers, of: echo)
        let stars = try StarCalls(to: daemon)
        let file = try AppendedFile("\(cache.folder)/yardstick")
        var (times, answers, yardstick, disk) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<rounds {
            let star = try stars.next(before: audience)
            guard Set(star.bytes).count == 1 else {
                throw Audience.Failure(description: "the watchers received different messages: \(Set(star.bytes))")
            }
            times.append(star.untilLast)
            answers.append(star.untilAnswered)
            yardstick.append(try bare.send(Array(audience.members[0].lastRead)))
            disk.append(try milliseconds { try file.append() })
        }
        try daemon.stop()
        return [
            Figure(
                part: name, what: "a favorite, to the last of \(watchers)", values: times,
                yardstick: ("echo, the same bytes", yardstick)),
            Figure(
                part: name, what: "of that, until the answer (after the sync)", values: answers,
                yardstick: ("write and fdatasync", disk)),
            Figure(
                part: name, what: "of that, after the answer", values: zip(times, answers).map { $0 - $1 },
                yardstick: ("echo, the same bytes", yardstick)),
        ]
    }
}

/// The connections to which the echo server forwards the message of one of them.
final class BareAudience {
    private let audience: Audience
    private let speaker: RawConnection

    init(_ count: Int, of echo: EchoProcess) throws {
        audience = try Audience(count, at: echo.socket)
        speaker = try RawConnection(to: echo.socket)
        // Waits until all connections are accepted.
        try speaker.send([0])
        try speaker.receive()
    }

    /// The milliseconds until the last connection has the message.
    func send(_ message: [UInt8]) throws -> Double {
        let start = now()
        try speaker.send([EchoServer.broadcast] + message)
        _ = try audience.receiveEach()
        return (now() - start) / 1e3
    }
}
