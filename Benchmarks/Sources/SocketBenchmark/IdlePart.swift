import Measuring

/// Thirty seconds without any events, with 500 connected watchers.
enum IdlePart: Part {
    static let name = "idle"
    static let summary =
        "context switches of all threads in 30 s with 500 watchers connected; yardstick: the echo server's"

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        let audience = try Audience(ChangePart.watchers, at: daemon.socket, call: ChangePart.watch)
        let bare = try BareAudience(ChangePart.watchers, of: echo)
        // The daemon does some work first, because it may idle differently after that.
        let stars = try StarCalls(to: daemon)
        for _ in 0..<8 { _ = try stars.next(before: audience) }
        let caller = try RawConnection(to: daemon.socket)
        for _ in 0..<1_000 {
            try caller.send(RawConnection.call("Random"))
            try caller.receive()
        }
        _ = try bare.send([0])
        try await Task.sleep(for: .seconds(2))
        let before = (try daemon.measuredProcess.contextSwitches(), try echo.measuredProcess.contextSwitches())
        try await Task.sleep(for: .seconds(30))
        let after = (try daemon.measuredProcess.contextSwitches(), try echo.measuredProcess.contextSwitches())
        try daemon.stop()
        return [
            Figure(
                part: name, what: "in 30 s", values: [Double(after.0 - before.0)],
                yardstick: ("echo server", [Double(after.1 - before.1)]), unit: "switches")
        ]
    }
}
