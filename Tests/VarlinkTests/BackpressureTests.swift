import TestSupport
import Testing
import Varlink

/// Clients and services that wait for each other.
@Suite struct BackpressureTests {
    private typealias Text = EchoService.Text

    /// A connection on the service's loop, which is only used there.
    private func connect(
        _ service: EchoService, onClosed: @escaping @Sendable (VarlinkError?) -> Void = { _ in }
    ) throws -> VarlinkConnection {
        let made = try Mailbox<VarlinkConnection?>()
        service.loop.perform { [loop = service.loop, address = service.address] in
            made.put(try? VarlinkConnection(to: address, on: loop, onClosed: onClosed))
        }
        let connection = try made.take()
        return try #require(connection)
    }

    @Test("a client that resumes after the end gets all replies before the end is reported")
    func pauseUntilEnd() async throws {
        let service = try EchoService()
        let received = try Mailbox<String>()
        let connection = try connect(service) { _ in received.put("closed") }
        service.loop.perform {
            for text in ["a", "b", "c"] {
                connection.call("org.example.echo.Echo", Text(text: text), returning: Text.self) { result in
                    received.put((try? result.get().text) ?? "failed")
                    connection.isPaused = true
                }
            }
        }
        #expect(try received.take() == "a")
        try service.stop()
        for expected in ["b", "c", "closed"] {
            service.loop.perform { connection.isPaused = false }
            #expect(try received.take() == expected)
        }
    }

    @Test("the bytes of unsent calls are counted")
    func unsent() async throws {
        let service = try EchoService()
        let connection = try connect(service)
        let received = try Mailbox<Int>()
        let large = Text(text: String(repeating: "x", count: 400_000))
        service.loop.perform {
            connection.call("org.example.echo.Hold", Text(text: "held"), returning: Text.self) { _ in received.put(0) }
            for _ in 0..<3 {
                connection.call("org.example.echo.Echo", large, returning: Text.self) { _ in received.put(1) }
            }
        }
        try await waitUntil("the call is held") { await service.state.heldCount == 1 }
        #expect(await service.state.onLoop { connection.unsentByteCount } > 400_000)
        _ = await service.state.release()
        #expect(try (0..<4).map { _ in try received.take() } == [0, 1, 1, 1])
        #expect(await service.state.onLoop { connection.unsentByteCount } == 0)
        service.loop.perform { connection.close() }
    }
}
