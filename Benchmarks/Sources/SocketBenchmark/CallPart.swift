import Measuring

/// One call on an open connection, from its first byte to the last of the answer, and nothing else going on.
enum CallPart: Part {
    static let name = "call"
    static let summary = "one call on an open connection; yardstick: a message as long as the answer, echoed"
    private static let blocks = 20
    private static let calls = 500

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        let figures = try ["Status", "Random"].map { method in
            let (service, bare) = (try RawConnection(to: daemon.socket), try RawConnection(to: echo.socket))
            let call = RawConnection.call(method)
            try service.send(call)
            let answer = try service.receiveMessage()
            var (times, yardstick) = ([Double](), [Double]())
            // In turns: what else happens on the machine happens to both.
            for _ in 0..<blocks {
                times += try (0..<calls).map { _ in try roundTrip(call, service) }
                yardstick += try (0..<calls).map { _ in try roundTrip(answer, bare) }
            }
            return Figure(
                part: name, what: "one \(method)", values: times, yardstick: ("echo, one message", yardstick),
                unit: "µs")
        }
        try daemon.stop()
        return figures
    }

    private static func roundTrip(_ message: [UInt8], _ connection: RawConnection) throws -> Double {
        let start = now()
        try connection.send(message)
        try connection.receive()
        return now() - start
    }
}
