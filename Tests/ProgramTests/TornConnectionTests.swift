import Glibc
import TestSupport
import Testing

/// Clients in another language, written from docs/protocol.md, on connections that are cut.
@Suite(
    .enabled(if: isSlowTier, "slow tier"), .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
struct TornConnectionTests {
    private static let rounds = scaled(8)
    private static let editsEach = 250

    private static let clients = [
        TornWatchers.Watched("{}"),
        TornWatchers.Watched(#"{"sections": ["favoriteJokes"]}"#),
        TornWatchers.Watched(#"{"sections": ["jokes"], "size": 1000}"#),
        TornWatchers.Watched(#"{"size": 7}"#),
        TornWatchers.Watched(#"{"size": 1000}"#, isSlow: true),
        TornWatchers.Watched(#"{"query": "a bar went"}"#, isSlow: true),
        // A user types a query, and deletes letters.
        TornWatchers.Watched(
            #"{"query": "duck"}"#, #"{"query": "duc"}"#, #"{"query": "du", "size": 9}"#, "{}",
            #"{"query": "goose", "sections": ["searchResults"]}"#),
    ]

    @Test("after thousands of edits, each client has the daemon's snapshot, even if it was disconnected or read late")
    func torn() async throws {
        do {
            let edits = try await RandomEdits(seed: testSeed)
            let watchers = try TornWatchers(edits.daemon, Self.clients, seed: testSeed)
            try await follow(edits, watchers)
        } catch {
            throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats the random choices: \(error)")
        }
    }

    private func follow(_ edits: RandomEdits, _ watchers: TornWatchers) async throws {
        var taken = try watchers.meet()
        for round in 1...Self.rounds {
            for number in 1...Self.editsEach {
                try edits.edit()
                if number % 20 == 0 { try watchers.turn() }
            }
            if round % 4 == 0 { try edits.restart() }
            try await edits.finish()
            let taking = try watchers.meet()
            try verify(taking.messages > taken.messages, "the clients got no message in round \(round)")
            taken = taking
        }
        // Each client was disconnected many times.
        try verify(taken.torn > Self.clients.count * Self.rounds, "connections were cut only \(taken.torn) times")
    }
}
