import Glibc
import TestSupport
import Testing
import Varlink

/// The limits of a service, and the refusals.
@Suite struct LimitTests {
    private static let busy = #"{"error":"org.example.echo.Failed","parameters":{"text":"busy"}}"#
    private static let echo = #"{"method":"org.example.echo.Echo","parameters":{"text":"a"}}|"#
    private static let echoed = #"{"parameters":{"text":"a"}}"#
    private static let follow = #"{"method":"org.example.echo.Follow","more":true}|"#
    private static let followed = #"{"parameters":{"text":"x"},"continues":true}"#

    @Test("a connection beyond the limit is refused, and there is room again when one ends")
    func tooMany() async throws {
        var limits = ServiceLimits()
        limits.connections = 2
        let service = try EchoService(limits: limits)
        let clients = try (0..<3).map { _ in try RawClient(service.address) }
        for client in clients { try client.send(Self.echo) }
        for client in clients[..<2] { #expect(try client.receive() == Self.echoed) }
        #expect(try clients[2].receiveAll() == Self.busy + "|")
        clients[0].close()
        try await waitUntil("there is room") { await service.connectionCount() == 1 }
        let next = try RawClient(service.address)
        try next.send(Self.echo)
        #expect(try next.receive() == Self.echoed)
    }

    @Test("at the limit, only the connection that was idle for the longest time is closed for a new one")
    func idle() throws {
        var limits = ServiceLimits()
        limits.connections = 4
        limits.idleTime = .zero
        let service = try EchoService(limits: limits)
        let clients = try (0..<4).map { _ in try RawClient(service.address) }
        try clients[0].send(Self.follow)
        #expect(try clients[0].receive() == Self.followed)
        try clients[2].send(Self.echo)
        #expect(try clients[2].receive() == Self.echoed)
        // An incomplete message is not a call.
        try clients[3].send(#"{"method":"#)
        try clients[1].send(Self.echo)
        #expect(try clients[1].receive() == Self.echoed)
        // The last call of the third was before that of the second, and the fourth has sent nothing.
        var streams: [RawClient] = []
        for (next, gone) in [(4, clients[3]), (5, clients[2]), (6, clients[1])] {
            let another = try RawClient(service.address)
            try another.send(Self.follow)
            #expect(try another.receive() == Self.followed, "client \(next)")
            #expect(try gone.receiveAll().isEmpty)
            streams.append(another)
        }
        let refused = try RawClient(service.address)
        try refused.send(Self.echo)
        #expect(try refused.receiveAll() == Self.busy + "|")
        #expect(service.events.takeAll().count { if case .closedIdle = $0 { true } else { false } } == streams.count)
    }

    @Test("the memory of all clients is bounded, and the connection with the most memory ends")
    func totalMemory() async throws {
        var limits = ServiceLimits()
        limits.totalBytes = 1 << 20
        let service = try EchoService(limits: limits)
        let clients = try (0..<3).map { _ in try RawClient(service.address) }
        // Incomplete messages, each within the limit of a connection.
        for (client, size) in zip(clients, [300_000, 600_000, 400_000]) {
            try client.send([UInt8](repeating: UInt8(ascii: " "), count: size))
        }
        #expect(try clients[1].receive() == nil)
        for client in [clients[0], clients[2]] {
            try client.send(#"{"method":"org.example.echo.Nothing"}|"#)
            #expect(try client.receive() == #"{"parameters":{}}"#)
        }
        #expect(await service.connectionCount() == 2)
    }

    @Test("a user's connections leave room for other users")
    func perUser() throws {
        var limits = ServiceLimits()
        limits.connectionsPerUser = 1
        let service = try EchoService(limits: limits)
        let first = try RawClient(service.address)
        try first.send(Self.echo)
        #expect(try first.receive() == Self.echoed)
        let second = try RawClient(service.address)
        try second.send(Self.echo)
        #expect(try second.receiveAll() == Self.busy + "|")
        #expect(service.events.takeAll().contains { if case .refused(_, limit: 1) = $0 { true } else { false } })
    }

    @Test("a stream beyond the limit is refused, its connection continues, and there is room when one ends")
    func streams() async throws {
        var limits = ServiceLimits()
        limits.streams = 2
        let service = try EchoService(limits: limits)
        let clients = try (0..<3).map { _ in try RawClient(service.address) }
        for client in clients { try client.send(Self.follow) }
        #expect(try clients[0].receive() == Self.followed)
        #expect(try clients[1].receive() == Self.followed)
        #expect(try clients[2].receive() == Self.busy)
        // A call without `more`, or of a method that sends one reply, is not a stream.
        try clients[2].send(#"{"method":"org.example.echo.Follow"}|"#)
        #expect(try clients[2].receive() == #"{"parameters":{"text":"x"}}"#)
        try clients[2].send(Self.echo.replacing("}}", with: #"},"more":true}"#))
        #expect(try clients[2].receive() == Self.echoed)
        clients[0].close()
        try await waitUntil("there is room") { await service.connectionCount() == 2 }
        try clients[2].send(Self.follow)
        #expect(try clients[2].receive() == Self.followed)
        // A stream that has ended does not count.
        clients[1].close()
        try await waitUntil("there is room") { await service.connectionCount() == 1 }
        let count = try RawClient(service.address)
        for _ in 0..<5 {
            try count.send(#"{"method":"org.example.echo.Count","parameters":{"to":1},"more":true}|"#)
            #expect(try count.receive() == #"{"parameters":{"number":1}}"#)
        }
        let refusals = service.events.takeAll().filter { if case .streamRefused = $0 { true } else { false } }
        #expect(refusals.count == 1)
    }

    @Test("the memory of a shared reply counts once, until the last client has read it")
    func sharedMemory() async throws {
        var limits = ServiceLimits()
        limits.totalBytes = 3 << 20
        let service = try EchoService(limits: limits)
        let clients = try (0..<20).map { _ in try RawClient(service.address) }
        for client in clients {
            try client.send(Self.follow)
            #expect(try client.receive() == Self.followed)
        }
        // Twenty times this would be far beyond the limit.
        let big = String(repeating: "y", count: 1 << 20)
        #expect(try await service.state.publish(big).sent == 20)
        for client in clients {
            #expect(try client.receive()?.utf8.count == big.utf8.count + Self.followed.utf8.count - 1)
        }
        // All memory is released.
        #expect(try await service.state.publish(big + big).sent == 20)
        #expect(await service.connectionCount() == 20)
    }

    @Test("shared replies that only one client has not read count for that client")
    func unsharedMemory() async throws {
        var limits = ServiceLimits()
        // Three of the replies below, with their JSON.
        limits.totalBytes = (3 << 20) + 1024
        let service = try EchoService(limits: limits)
        let other = try RawClient(service.address)
        var stopped: [RawClient] = []
        for _ in 0..<5 {
            let client = try RawClient(service.address)
            try client.send(Self.follow)
            #expect(try client.receive() == Self.followed)
            stopped.append(client)
            // The sockets have no room for the earlier ones.
            _ = try await service.state.publish(String(repeating: "y", count: 1 << 20))
        }
        #expect(await service.connectionCount() == 4)
        try other.send(Self.echo)
        #expect(try other.receive() == Self.echoed)
    }
}
