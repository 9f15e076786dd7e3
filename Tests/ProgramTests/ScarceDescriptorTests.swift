import Glibc
import TestSupport
import Testing
import Unix

/// Clients in great number, and a system that gives little.
@Suite struct ScarceDescriptorTests {
    private static let status = #"{"method":"org.jokesd.Jokes.Status"}|"#
    private static let watch = #"{"method":"org.jokesd.Jokes.Watch","more":true}|"#

    /// Whether the next answer to the client is a reply.
    private func isServed(_ client: RawClient) throws -> Bool {
        try client.receive()?.hasPrefix(#"{"parameters":{"#) == true
    }

    /// Has the daemon answer a new client.
    private func ask(_ daemon: DaemonUnderTest) throws -> String {
        let client = try RawClient(daemon.socket)
        try client.send(Self.status)
        return try client.receive() ?? "the end"
    }

    @Test(
        "out of descriptors, the daemon serves who is there, and takes in who waits when one is free",
        .enabled(if: access("/usr/bin/prlimit", X_OK) == 0, "prlimit is not installed"))
    func exhausted() async throws {
        let daemon = try DaemonUnderTest()
        let idle = try DaemonUsage(of: daemon)
        try daemon.limitDescriptors(to: 64)
        let clients = try (0..<80).map { _ in try RawClient(daemon.socket) }
        for client in clients { try client.send(Self.status) }
        try daemon.process.errors.waitForLine(with: "not accepting connections for now: too many open files")
        // Those who were accepted are served, again and again.
        for client in clients[..<16] {
            #expect(try isServed(client))
            try client.send(Self.status)
            #expect(try isServed(client))
            client.close()
        }
        // Each that leaves makes room for one that waits.
        for client in clients[16...] {
            #expect(try isServed(client))
            client.close()
        }
        try daemon.process.errors.waitForLine(with: "accepting connections again")
        try await waitUntil("all were let go of") {
            try DaemonUsage(of: daemon).openDescriptors == idle.openDescriptors
        }
    }

    @Test("where the system gives few descriptors, clients leave the daemon its own, and are told so")
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
        let clients = try (0..<12).map { _ in try RawClient(socket) }
        for client in clients {
            try client.send(Self.status)
            #expect(try isServed(client))
        }
        let refused = try RawClient(socket)
        try refused.send(Self.status)
        #expect(try refused.receive()?.hasPrefix(#"{"error":"org.jokesd.Jokes.Busy","#) == true)
        #expect(try refused.receive() == nil)
        clients[0].close()
        try await waitUntil("there is room for a change of the store, which opens files") {
            let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "--json", "random"])
            if result.ending == .exited(0) { return true }
            #expect(result.errors.contains("too many clients are connected"), "\(result)")
            return false
        }
        #expect(!daemon.errors.text.contains("not accepting connections"))
    }

    @Test("a thousand watch, the next is told that they are too many, and who only asks is answered; all of it ends")
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
        try await waitUntil("all were let go of") {
            try DaemonUsage(of: daemon).openDescriptors == idle.openDescriptors
        }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
    }

    @Test("a thousand who connect and say nothing, or half of something, cost little and delay nobody")
    func silent() throws {
        try #require(raiseDescriptorLimit(to: 4096) >= 1200)
        let daemon = try DaemonUnderTest()
        let idle = try DaemonUsage(of: daemon)
        let silent = try (0..<1000).map { _ in try RawClient(daemon.socket) }
        for (number, client) in silent.enumerated() where number % 2 == 0 { try client.send(#"{"method":"org."#) }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let held = try DaemonUsage(of: daemon)
        #expect(held.anonymousMemory - idle.anonymousMemory < 1000 * 16, "KiB: \(idle) \(held)")
        // A thousand halves of a megabyte would be too much; who holds the most has to go.
        let half = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 19)
        for client in silent.prefix(200) { try client.send(half) }
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let most = try DaemonUsage(of: daemon)
        #expect(most.anonymousMemory - idle.anonymousMemory < 160 * 1024, "KiB: \(idle) \(most)")
        withExtendedLifetime(silent) {}
    }

    @Test("a storm of clients that come and go, within messages and before their answers, leaves nothing behind")
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
        try await waitUntil("all were let go of") {
            try DaemonUsage(of: daemon).openDescriptors <= idle.openDescriptors
        }
        // Writing to who has gone has ended nobody.
        #expect(try ask(daemon).contains(#""subscribers":0"#))
        let held = try DaemonUsage(of: daemon)
        #expect(held.anonymousMemory - idle.anonymousMemory < 16 * 1024, "KiB: \(idle) \(held)")
    }

    /// Those that have gone wait to be accepted, too, and the queue has an end.
    private func connectPatiently(_ daemon: DaemonUnderTest) throws -> RawClient {
        let socket = try StreamSocket.connect(to: SocketAddress(daemon.socket), waitingAtMost: .seconds(60))
        return RawClient(owning: socket.release())
    }

    @Test("a storm of clients that do wrong is told in few lines, with who they were and why")
    func log() async throws {
        let daemon = try DaemonUnderTest()
        for _ in 0..<300 {
            let client = try RawClient(daemon.socket)
            try client.send("hello|")
            #expect(try client.receive() == nil)
        }
        #expect(try ask(daemon).hasPrefix(#"{"parameters":{"#))
        let lines = daemon.process.errors.lines
        let complaints = lines.filter { $0.contains("expected a value") }
        let who = "(pid \(getpid()), uid \(getuid()))"
        // Twenty in a row, and one more for each half a minute that this takes.
        #expect(20..<30 ~= complaints.count && complaints.allSatisfy { $0.contains(who) }, "\(lines)")
        #expect(lines.count { $0.contains("too many messages about clients") } == 1)
        // And the user was named once, when they came.
        #expect(lines.count { $0.contains("\(who) connected") } == 1 && lines.count < 40, "\(lines)")
    }
}
