import Measuring

/// One call on an open connection, from its first byte to the last byte of the answer, without other load.
enum CallPart: Part {
    static let name = "call"
    static let summary =
        "one call on an open connection, with the server on the client's processor and on another; yardstick: an echoed message of the same length"
    private static let blocks = 20
    private static let calls = 500

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        var figures: [Figure] = []
        for placement in try Placement.possible() {
            // The daemon answers calls on its first thread, and the echo server has only one thread.
            try placement.holding([daemon.measuredProcess, echo.measuredProcess]) {
                for method in ["Status", "Random"] {
                    let times = try times(of: method, daemon.socket, beside: echo.socket)
                    figures.append(
                        Figure(
                            part: name, what: "one \(method), \(placement.rawValue)", values: times.service,
                            yardstick: ("echo server, one message", times.bare), unit: "µs"))
                }
            }
        }
        try daemon.stop()
        return figures
    }

    private static func times(
        of method: String, _ socket: String, beside bareSocket: String
    ) throws -> (service: [Double], bare: [Double]) {
        let (service, bare) = (try RawConnection(to: socket), try RawConnection(to: bareSocket))
        let call = RawConnection.call(method)
        try service.send(call)
        let answer = try service.receiveMessage()
        var times: (service: [Double], bare: [Double]) = ([], [])
        // The two take turns, so that other load on the machine affects both.
        for _ in 0..<blocks {
            times.service += try (0..<calls).map { _ in try roundTrip(call, service) }
            times.bare += try (0..<calls).map { _ in try roundTrip(answer, bare) }
        }
        return times
    }

    private static func roundTrip(_ message: [UInt8], _ connection: RawConnection) throws -> Double {
        let start = now()
        try connection.send(message)
        try connection.receive()
        return now() - start
    }
}
