import Glibc
import TestSupport
import Testing
import Unix

/// Many clients, and few descriptors.
@Suite struct ScarceDescriptorTests {
    private static let status = #"{"method":"org.jokesd.Jokes.Status"}|"#
    private static let watch = #"{"method":"org.jokesd.Jokes.Watch","more":true}|"#

    /// True if the next answer to the client is a reply.
    private func isServed(_ client: RawClient) throws -> Bool {
        try client.receive()?.hasPrefix(#"{"parameters":{"#) == true
    }

    /// Returns the daemon's answer to a new client.
    private func ask(_ daemon: DaemonUnderTest) throws -> String {
        let client = try RawClient(daemon.socket)
        try client.send(Self.status)
        return try client.receive() ?? "the end"
    }

    @Test(
        "without free descriptors, the daemon serves connected clients, and accepts waiting ones when one is free",
        .enabled(if: access("/usr/bin/prlimit", X_OK) == 0, "prlimit is not installed"))
    func exhausted() async throws {
        let daemon = try DaemonUnderTest()
        let idle = try DaemonUsage(of: daemon)
        try daemon.limitDescriptors(to: 64)
        let clients = try (0..<80).map { _ in try RawClient(daemon.socket) }
        for client in clients { try client.send(Self.status) }
        try daemon.process.errors.waitForLine(with: "not accepting connections for now: too many open files")
        // Accepted clients are served, more than once.
        for client in clients[..<16] {
            #expect(try isServed(client))
            try client.send(Self.status)
            #expect(try isServed(client))
            client.close()
        }
        // Each disconnected client makes room for a waiting one.
        for client in clients[16...] {
            #expect(try isServed(client))
            client.close()
        }
        try daemon.process.errors.waitForLine(with: "accepting connections again")
        try await waitUntil("all connections were closed") {
            try DaemonUsage(of: daemon).openDescriptors == idle.openDescriptors
        }
    }

    @Test("under a low descriptor limit, the daemon reserves descriptors for itself and refuses more clients with Busy")
    func few() async throws {
        let folder = try TemporaryFolder()
        let config = try folder.write(#"{"sources": []}"#, to: "config.json")
        let socket = folder.path("s")
        let daemon = try ChildProcess(
            "/bin/sh",
            [
                "-c", "ulimit -n 64; exec \"$0\" \"$@\"", builtProgram("jokesd"), "--config", config, "--state-dir",
                folder.path("state"), "--socket", socket,
            ])
        try daemon.errors.waitForLine(with: "listening on")
        let clients = try (0..<14).map { _ in try RawClient(socket) }
        for client in clients {
            try client.send(Self.status)
            #expect(try isServed(client))
        }
        let refused = try RawClient(socket)
        try refused.send(Self.status)
        #expect(try refused.receive()?.hasPrefix(#"{"error":"org.jokesd.Jokes.Busy","#) == true)
        #expect(try refused.receive() == nil)
        clients[0].close()
        try await waitUntil("the store has free descriptors for a change") {
            let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "--json", "random"])
            if result.ending == .exited(0) { return true }
            #expect(result.errors.contains("too many clients are connected"), "\(result)")
            return false
        }
        #expect(!daemon.errors.text.contains("not accepting connections"))
    }

    @Test("after a thousand watchers, the next gets Busy, other calls are answered, and all descriptors are closed")
    func thousand() async throws {
        let limit = raiseDescriptorLimit(to: 4096)
        try #require(limit >= 1200, "the test itself may have \(limit) descriptors")
        let daemon = try DaemonUnderTest()
        let idle = try DaemonUsage(of: daemon)
        var watchers = try (0..<1000).map { _ in try RawClient(daemon.socket) }
        for watcher in watchers {
            try watcher.send(Self.watch)
            #expect(try watcher.receive()?.contains(#""complete":true"#) == true)
        }
        let late = try RawClient(daemon.socket)
        try late.send(Self.watch)
        #expect(try late.receive()?.hasPrefix(#"{"error":"org.jokesd.Jokes.Busy","#) == true)
        try late.send(Self.status)
        #expect(try late.receive()?.contains(#""subscribers":1000"#) == true)
        let held = try DaemonUsage(of: daemon)
        #expect(held.anonymousMemory - idle.anonymousMemory < 1000 * 32, "KiB: \(idle) \(held)")
        watchers = []
        late.close()
        try await waitUntil("all connections were closed") {
            try DaemonUsage(of: daemon).openDescriptors == idle.openDescriptors
        }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
    }

    @Test("many clients that send nothing, or part of a message, use little memory and delay no other client")
    func silent() throws {
        try #require(raiseDescriptorLimit(to: 4096) >= 1200)
        let count = isSlowTier ? 1000 : 300
        let daemon = try DaemonUnderTest()
        let idle = try DaemonUsage(of: daemon)
        let silent = try (0..<count).map { _ in try RawClient(daemon.socket) }
        for (number, client) in silent.enumerated() where number % 2 == 0 { try client.send(#"{"method":"org."#) }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let held = try DaemonUsage(of: daemon)
        #expect(held.anonymousMemory - idle.anonymousMemory < count * 16, "KiB: \(idle) \(held)")
        // Together, these messages would exceed the limit, so the daemon disconnects the clients with the most memory.
        let half = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 19)
        for client in silent.prefix(200) { try client.send(half) }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let most = try DaemonUsage(of: daemon)
        #expect(most.anonymousMemory - idle.anonymousMemory < 160 * 1024, "KiB: \(idle) \(most)")
        withExtendedLifetime(silent) {}
    }

    @Test("many clients that disconnect within messages or before their answers leave no descriptors or memory in use")
    func storm() async throws {
        let daemon = try DaemonUnderTest()
        #expect(try ask(daemon).hasPrefix(#"{"parameters":{"#))
        let idle = try DaemonUsage(of: daemon)
        for number in 0..<scaled(3000) {
            let client = try connectPatiently(daemon)
            switch number % 4 {
            case 0: break
            case 1: try client.send(#"{"method":"org.jokesd.Jokes.Sta"#)
            case 2: try client.send(Self.status + Self.status)
            default: try client.send(Self.watch)
            }
        }
        try await waitUntil("all connections were closed") {
            try DaemonUsage(of: daemon).openDescriptors <= idle.openDescriptors
        }
        // Answers to disconnected clients have not killed the daemon.
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let held = try DaemonUsage(of: daemon)
        #expect(held.anonymousMemory - idle.anonymousMemory < 16 * 1024, "KiB: \(idle) \(held)")
    }

    /// Connects with a long timeout. Disconnected clients stay in the queue until they are accepted, and the queue is
    /// limited.
    private func connectPatiently(_ daemon: DaemonUnderTest) throws -> RawClient {
        let socket = try StreamSocket.connect(to: SocketAddress(daemon.socket), waitingAtMost: .seconds(60))
        return RawClient(owning: socket.release())
    }

    @Test("clients cannot fill the log: their errors are not logged at the default level")
    func log() async throws {
        let daemon = try DaemonUnderTest()
        for _ in 0..<30 {
            let client = try RawClient(daemon.socket)
            try client.send("hello|")
            #expect(try client.receive() == nil)
        }
        #expect(try ask(daemon).hasPrefix(#"{"parameters":{"#))
        let lines = daemon.process.errors.lines
        #expect(!lines.contains { $0.contains("client ") }, "\(lines)")
    }
}
