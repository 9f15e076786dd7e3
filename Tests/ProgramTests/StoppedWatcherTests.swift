import JokesClient
import JokesProtocol
import TestSupport
import Testing

/// Many watchers, some of which have stopped reading.
@Suite struct StoppedWatcherTests {
    private static let watch = #"{"method":"org.jokesd.Jokes.Watch","more":true}|"#

    /// Returns a client that watches and has read the complete first snapshot.
    private func watcher(of daemon: DaemonUnderTest) throws -> RawClient {
        let client = try RawClient(daemon.socket)
        try client.send(Self.watch)
        while try !received(by: client).contains(#""complete":true"#) {}
        return client
    }

    private func received(by client: RawClient) throws -> String {
        let message = try client.receive()
        return try #require(message)
    }

    /// Returns the generation of a message.
    private func generation(_ message: String) throws -> Int {
        let rest = message.split(separator: #""generation":"#).dropFirst().first ?? ""
        return try #require(Int(rest.prefix { $0.isNumber }))
    }

    private func newestGeneration(of watcher: Watcher) throws -> Int {
        Int(try #require(watcher.last).generation)
    }

    @Test("if one of many watchers stops reading, the others get every change, and no messages are queued for it")
    func one() async throws {
        // Each change has about 14 KiB, so the socket buffers a few of them and the rest has to wait.
        let daemon = try await DaemonUnderTest.withJokes(10, bytesEach: 7000)
        let caller = try daemon.connect()
        let model = try Watcher(daemon)
        try model.begin()
        let stopped = try watcher(of: daemon)
        let others = try (0..<scaled(500)).map { _ in try watcher(of: daemon) }
        let before = try DaemonUsage(of: daemon)
        let ids = try model.jokes.prefix(4)
        let changes = 60
        for number in 0..<changes {
            try model.see(ids[number % ids.count], toggledBy: caller)
            let newest = try newestGeneration(of: model)
            // Every other client has received this change before the next one.
            for other in others { #expect(try generation(received(by: other)) == newest) }
        }
        let after = try DaemonUsage(of: daemon)
        #expect(after.anonymousMemory - before.anonymousMemory < 16 * 1024, "KiB: \(before) \(after)")
        // The messages in the socket's buffer, and the last differences or the snapshot.
        let newest = try newestGeneration(of: model)
        var taken = 1
        while try generation(received(by: stopped)) != newest { taken += 1 }
        #expect(taken < changes / 2, "\(taken) messages")
    }
}
