import TestSupport
import Testing
import Varlink

@Suite struct AsyncClientTests {
    private typealias Text = EchoService.Text
    private typealias Number = EchoService.Number
    private typealias To = EchoService.To

    private func client(of service: EchoService) async throws -> VarlinkAsyncClient {
        try await VarlinkAsyncClient(connectingTo: service.address, on: service.loop)
    }

    @Test("calls return replies and throw errors")
    func calls() async throws {
        let service = try EchoService()
        let client = try await client(of: service)
        #expect(try await client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self).text == "a")
        let error = await #expect(throws: VarlinkError.self) {
            try await client.call("org.example.echo.Fail", Text(text: "why"), returning: Text.self)
        }
        let reply = #"org.example.echo.Failed {"text":"why"}"#
        #expect(error?.description == "the service replied with error \(reply)")
        try await client.callOneway("org.example.echo.Note", Text(text: "noted"))
        #expect(try await client.call("org.example.echo.Echo", Text(text: "b"), returning: Text.self).text == "b")
        #expect(await service.state.notes == ["noted"])
        await #expect(throws: VarlinkError.self) {
            try await VarlinkAsyncClient(connectingTo: service.folder.path("nobody"), on: service.loop)
        }
    }

    @Test("a stream ends after its last reply, and later calls are answered")
    func streams() async throws {
        let service = try EchoService()
        let client = try await client(of: service)
        var numbers: [Int] = []
        for try await reply in client.stream(
            "org.example.echo.Count", To(to: 100), returning: Number.self, timeout: .seconds(Int64.max))
        {
            numbers.append(reply.number)
        }
        #expect(numbers == Array(1...100))
        #expect(try await client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self).text == "a")
    }

    @Test("a stream that nobody reads is paused, so the service notices that replies wait")
    func backpressure() async throws {
        let service = try EchoService()
        let client = try await client(of: service)
        let replies = client.stream(
            "org.example.echo.Follow", EchoService.Size(size: 1), returning: Text.self)
        var iterator = replies.makeAsyncIterator()
        #expect(try await iterator.next()?.text == "x")
        let large = String(repeating: "y", count: 100_000)
        var sent = 0
        while try await service.state.publish(large).sent == 1 {
            sent += 1
            try #require(sent < 1000, "the kernel takes no more")
        }
        #expect(sent > 0)
        for _ in 0..<sent { #expect(try await iterator.next()?.text == large) }
    }

    @Test("the end of a wait by its deadline or by cancellation does not cost the next call")
    func endOfWait() async throws {
        let service = try EchoService()
        let client = try await client(of: service)
        let late = await #expect(throws: VarlinkError.self) {
            try await client.call(
                "org.example.echo.Hold", Text(text: "old"), returning: Text.self, timeout: .milliseconds(1))
        }
        #expect(late?.description == timedOut)
        let held = Task { try await client.call("org.example.echo.Echo", Text(text: "old"), returning: Text.self) }
        held.cancel()
        await #expect(throws: CancellationError.self) { try await held.value }
        let other = try VarlinkClient(connectingTo: service.address)
        try await waitUntil("the call is held") { await service.state.heldCount == 1 }
        let _: EchoService.Count = try other.call("org.example.echo.Release")
        #expect(try await client.call("org.example.echo.Echo", Text(text: "new"), returning: Text.self).text == "new")
    }

    @Test("the cancellation, the deadline and the last use of a stream close its connection")
    func endOfStream() async throws {
        let service = try EchoService()
        let address = service.address
        let loop = service.loop
        let follow = { @Sendable (timeout: Duration?) async throws -> AsyncThrowingStream<Text, any Error> in
            try await VarlinkAsyncClient(connectingTo: address, on: loop).stream(
                "org.example.echo.Follow", returning: Text.self, timeout: timeout)
        }
        let cancelled = Task { for try await _ in try await follow(nil) {} }
        try await waitUntil("the stream is open") { await service.state.followerCount == 1 }
        cancelled.cancel()
        try await cancelled.value
        try await waitUntil("the first client has gone") { await service.connectionCount() == 0 }
        let late = await #expect(throws: VarlinkError.self) {
            for try await _ in try await follow(.milliseconds(20)) {}
        }
        #expect(late?.description == timedOut)
        try await waitUntil("the second client has gone") { await service.connectionCount() == 0 }
        for try await _ in try await follow(nil) { break }
        try await waitUntil("the third client has gone") { await service.connectionCount() == 0 }
    }
}
