import Glibc
import TestSupport
import Testing
import Varlink

@Suite struct StreamTests {
    private static let follow = #"{"method":"org.example.echo.Follow","more":true}|"#

    private static func reply(_ text: String) -> String {
        #"{"parameters":{"text":"\#(text)"},"continues":true}"#
    }

    @Test("the end of a client is reported once to the handler of its stream")
    func gone() async throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(Self.follow)
        #expect(try client.receive() == Self.reply("x"))
        client.close()
        try await waitUntil("the follower was notified") { await service.state.goneCount == 1 }
        // Later replies are dropped.
        #expect(try await service.state.publish("news").sent == 0)
        #expect(await service.connectionCount() == 0)
        #expect(await service.state.goneCount == 1)
    }

    @Test("a client that has ended its input still gets the stream")
    func halfClosed() async throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(Self.follow)
        client.shutDownWriting()
        #expect(try client.receive() == Self.reply("x"))
        #expect(try await service.state.publish("news").sent == 1)
        #expect(try client.receive() == Self.reply("news"))
    }

    @Test("a client that pauses has at most one queued reply, and continues with the newest")
    func slowReader() async throws {
        let service = try EchoService()
        let slow = try RawClient(service.address)
        let quick = try RawClient(service.address)
        for client in [slow, quick] {
            try client.send(Self.follow)
            #expect(try client.receive() == Self.reply("x"))
        }
        let big = String(repeating: "y", count: 50_000)
        var skipped = 0
        for number in 0..<100 {
            let outcome = try await service.state.publish("\(number) \(big)")
            skipped += outcome.skipped
            #expect(try quick.receive() == Self.reply("\(number) \(big)"))
        }
        #expect(skipped > 50)
        let before = await service.state.drainedCount
        var taken = 0
        // The replies in the kernel, and the rest that it did not take.
        while taken < 100 - skipped {
            #expect(try slow.receive()?.hasSuffix(big + #""},"continues":true}"#) == true)
            taken += 1
        }
        try await waitUntil("the owner was notified") { await service.state.drainedCount > before }
        #expect(try await service.state.publish("newest").skipped == 0)
        #expect(try slow.receive() == Self.reply("newest"))
    }

    @Test("a handler that sends without waiting loses the client, and memory stays bounded")
    func overrun() async throws {
        var limits = ServiceLimits()
        limits.outputBytes = 1 << 20
        let service = try EchoService(limits: limits)
        let client = try RawClient(service.address)
        try client.send(Self.follow)
        #expect(try client.receive() == Self.reply("x"))
        let big = String(repeating: "y", count: 100_000)
        // The end is reported, but not within the `send` that causes it.
        for _ in 0..<20 { #expect(await service.state.force(big) == 0) }
        try await waitUntil("the follower was notified") { await service.state.goneCount == 1 }
        let ending = service.events.takeAll().last
        guard case .overrun(_, 1_048_576) = ending else {
            Issue.record("\(ending.map(String.init(describing:)) ?? "nothing")")
            return
        }
        #expect(await service.connectionCount() == 0)
    }
}
