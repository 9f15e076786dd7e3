import TestSupport
import Testing
import Unix

/// The daemon's memory for clients.
@Suite struct ClientMemoryTests {
    @Test("messages of clients use a bounded part of 64 MB, which is freed when the clients disconnect")
    func halfMessages() async throws {
        let daemon = try DaemonUnderTest()
        let before = try daemon.residentMemory()
        let half = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_000)
        var clients: [RawClient] = []
        for _ in 0..<200 {
            let client = try RawClient(daemon.socket)
            try client.send(half)
            clients.append(client)
        }
        let peak = try daemon.peakMemory()
        #expect(peak <= 64_000_000 / 1024, "from \(before) kB to \(peak) kB")
        for client in clients { client.close() }
        try await waitUntil("the memory was returned") { try daemon.residentMemory() < before + 6_000 }
    }
}
