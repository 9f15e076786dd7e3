import Glibc
import Measuring

/// A new joke, from the refresh of its source until the last of 500 watchers has received it.
enum RefreshPart: Part {
    static let name = "refresh"
    static let summary =
        "a new joke, from the refresh to the last of 500 watchers; yardstick: the same bytes by the echo server"
    private static let rounds = 20

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let source = try GrowingSource(in: cache.folder)
        let daemon = try await source.daemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        let audience = try Audience(ChangePart.watchers, at: daemon.socket, call: ChangePart.watch)
        let bare = try BareAudience(ChangePart.watchers, of: echo)
        let refresh = try RawConnection(to: daemon.socket)
        var (times, yardstick) = ([Double](), [Double]())
        for _ in 0..<rounds {
            let joke = try source.grow()
            let start = now()
            try refresh.send(RawConnection.call("Refresh", more: true))
            _ = try audience.receiveEach { $0.contains(joke) }
            times.append((now() - start) / 1e3)
            let message = Array(audience.members[0].lastRead)
            // Watchers also get the end of the refresh; after that, nothing more arrives.
            try refresh.receiveMessage(saying: "succeeded")
            usleep(2_000)
            try audience.readAway()
            yardstick.append(try bare.send(message))
        }
        try daemon.stop()
        return [
            Figure(
                part: name, what: "a new joke, to the last of \(ChangePart.watchers)", values: times,
                yardstick: ("echo, the same bytes", yardstick))
        ]
    }
}
