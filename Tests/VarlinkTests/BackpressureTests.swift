import TestSupport
import Testing
import Varlink

/// Clients and services that wait for each other.
@Suite struct BackpressureTests {
    private typealias Text = EchoService.Text

    /// A connection on the service's loop, which is only used there.
    private func connect(_ service: EchoService) throws -> VarlinkConnection {
        let made = try Mailbox<VarlinkConnection?>()
        service.loop.perform { [loop = service.loop, address = service.address] in
            made.put(try? VarlinkConnection(to: address, on: loop))
        }
        let connection = try made.take()
        return try #require(connection)
    }

    @Test("the service skips replies for a paused client, which gets the rest later")
    func pause() async throws {
        let service = try EchoService()
        let connection = try connect(service)
        let received = try Mailbox<Int>()
        service.loop.perform {
            connection.stream("org.example.echo.Follow", returning: Text.self) { answer in
                guard case .continues(let reply) = answer else { return }
                received.put(reply.text.utf8.count)
                connection.isPaused = true
            }
        }
        #expect(try received.take() == 1)
        let big = String(repeating: "y", count: 50_000)
        var sent = 0
        while true {
            let outcome = try await service.state.publish(big)
            if outcome.skipped > 0 { break }
            sent += outcome.sent
        }
        #expect(received.takeAll().isEmpty)
        for _ in 0..<sent {
            service.loop.perform { connection.isPaused = false }
            #expect(try received.take() == 50_000)
        }
        service.loop.perform { connection.close() }
    }

    @Test("a client that resumes after the end gets all replies before the end is reported")
    func pauseUntilEnd() async throws {
        let service = try EchoService()
        let received = try Mailbox<String>()
        let made = try Mailbox<VarlinkConnection?>()
        service.loop.perform { [loop = service.loop, address = service.address] in
            made.put(try? VarlinkConnection(to: address, on: loop) { _ in received.put("closed") })
        }
        let first = try made.take()
        let connection = try #require(first)
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

    @Test("a oneway call gets no reply, and throws after the end of the connection")
    func oneway() async throws {
        let service = try EchoService()
        let connection = try connect(service)
        let received = try Mailbox<String>()
        service.loop.perform {
            do {
                try connection.callOneway("org.example.echo.Note", Text(text: "noted"))
                try connection.callOneway("org.example.echo.Fail", Text(text: "unheard"))
                connection.call("org.example.echo.Echo", Text(text: "answered"), returning: Text.self) { result in
                    received.put((try? result.get().text) ?? "failed")
                }
            } catch {
                received.put("\(error)")
            }
        }
        #expect(try received.take() == "answered")
        #expect(await service.state.notes == ["noted"])
        service.loop.perform {
            connection.close()
            do {
                try connection.callOneway("org.example.echo.Note", Text(text: "late"))
            } catch {
                received.put("\(error)")
            }
        }
        #expect(try received.take() == "connection closed before a reply arrived")
    }

    @Test("a client reads the information and an interface description of a service")
    func description() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: "unix:\(service.address)")
        #expect(try client.serviceInformation().interfaces == ["org.varlink.service", "org.example.echo"])
        let interface = try client.interfaceDescription(of: "org.example.echo")
        #expect(interface.text == EchoService.text && interface.method(named: "Echo") != nil)
    }
}
