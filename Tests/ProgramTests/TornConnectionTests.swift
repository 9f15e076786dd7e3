import Glibc
import TestSupport
import Testing

/// Clients in another language, which know the daemon from docs/protocol.md alone, on connections that do not last.
@Suite(.enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
struct TornConnectionTests {
    /// What differs in the long form: `JOKESD_TORTURE=1`.
    private static let isLong = getenv("JOKESD_TORTURE") != nil
    private static let rounds = isLong ? 60 : 10
    private static let editsEach = isLong ? 500 : 200

    private static let views: [TornWatchers.Watched] = [
        TornWatchers.Watched(view: "{}"),
        TornWatchers.Watched(view: #"{"size": 7}"#),
        TornWatchers.Watched(view: #"{"sections": ["favoriteJokes"]}"#),
        TornWatchers.Watched(view: #"{"sections": ["jokes"], "size": 1000}"#),
        TornWatchers.Watched(view: #"{"size": 1000}"#, isSlow: true),
        TornWatchers.Watched(view: "{}", isSlow: true),
    ]

    @Test("each client has the daemon's picture after thousands of edits, however often it was cut off or read late")
    func torn() async throws {
        do {
            let edits = try await RandomEdits(seed: testSeed)
            let watchers = try TornWatchers(edits.daemon, Self.views, seed: testSeed)
            try await follow(edits, watchers)
        } catch {
            throw BrokenLaw("JOKESD_TEST_SEED=\(testSeed) draws the same lots: \(error)")
        }
    }

    private func follow(_ edits: RandomEdits, _ watchers: TornWatchers) async throws {
        var taken = try await watchers.meet()
        for round in 1...Self.rounds {
            for number in 1...Self.editsEach {
                try edits.edit()
                if number % 20 == 0 { try watchers.turn() }
            }
            if round % 5 == 0 { try edits.restart() }
            try await edits.daemon.waitForSyncs()
            let taking = try await watchers.meet()
            try hold(taking.messages > taken.messages, "the clients were told nothing in round \(round)")
            taken = taking
        }
        // Each of them was cut off, many times.
        try hold(taken.torn > Self.views.count * Self.rounds, "connections were cut only \(taken.torn) times")
    }
}
