import TestSupport
import Testing

/// What answers of JSON cost the daemon, measured from outside.
@Suite struct JSONMemoryTests {
    /// The most memory, in bytes, that a daemon ever had whose only source answers with the body, and how many jokes it
    /// has from it.
    private func peak(_ body: [UInt8]) async throws -> (bytes: Int, jokes: Int) {
        let server = try LoopbackServer()
        server.route("/jokes", LoopbackAnswer(type: "application/json", body: body))
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                #"{ "name": "mine", "type": "json", "url": "\#(server.url)/jokes", "allowLocalNetwork": true }"#))
        try await daemon.waitForSyncs()
        let sources: [PrintedSource] = try daemon.json("sources")
        return (try daemon.peakMemory() * 1024, try #require(sources.first).jokes)
    }

    @Test("an answer of 8 MB costs no more than four times that, whatever it is made of")
    func bounded() async throws {
        let size = 7_900_000
        let fill = { (piece: String) in
            Array("[\"A joke?\"\(String(repeating: piece, count: size / piece.utf8.count))]".utf8)
        }
        let least = try await peak(Array(#"["A joke?"]"#.utf8))
        #expect(least.jokes == 1)
        for piece in [",12345", ",{\"a\":[1,2,{}]}", ",\"\\u0000\""] {
            let most = try await peak(fill(piece))
            #expect(most.jokes == 1)
            #expect(most.bytes - least.bytes < 4 * size, "\(piece): \((most.bytes - least.bytes) / 1_000_000) MB")
        }
    }
}
