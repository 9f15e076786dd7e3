import Measuring

/// The number of calls per second, with enough pending calls on each connection that the server never waits.
enum RatePart: Part {
    static let name = "rate"
    static let summary =
        "calls per second, pipelined and on several connections; yardstick: echoed messages of the same length"
    private static let rounds = 24
    private static let calls = 4_096

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let echo = try await EchoProcess(in: cache.folder)
        var figures: [Figure] = []
        for (method, connections, underWay) in [
            ("Status", 1, 64), ("Status", 8, 1), ("Status", 8, 16), ("Random", 1, 64), ("Random", 8, 1),
        ] {
            let call = RawConnection.call(method)
            let first = try RawConnection(to: daemon.socket)
            try first.send(call)
            let answer = try first.receiveMessage()
            let service = try (0..<connections).map { _ in try RawConnection(to: daemon.socket) }
            let bare = try (0..<connections).map { _ in try RawConnection(to: echo.socket) }
            var (rates, yardstick) = ([Double](), [Double]())
            for _ in 0..<rounds {
                rates.append(try rate(of: call, underWay: underWay, on: service))
                yardstick.append(try rate(of: answer, underWay: underWay, on: bare))
            }
            let how = connections == 1 ? "one connection" : "\(connections) connections"
            figures.append(
                Figure(
                    part: name, what: "\(method), \(how), \(underWay) pending each", values: rates,
                    yardstick: ("echo server", yardstick), unit: "calls/s"))
        }
        try daemon.stop()
        return figures
    }

    private static func rate(
        of message: [UInt8], underWay count: Int, on connections: [RawConnection]
    ) throws -> Double {
        let batch = Array(repeatElement(message, count: count).joined())
        let start = now()
        for connection in connections { try connection.send(batch) }
        for _ in 1..<calls / (count * connections.count) {
            for connection in connections {
                try connection.receive(messages: count)
                try connection.send(batch)
            }
        }
        for connection in connections { try connection.receive(messages: count) }
        return Double(calls) / (now() - start) * 1e6
    }
}
