import JokesCore
import JokesStore
import Testing
import Varlink

@testable import JokesDaemon

/// The diagnostics of facts that no program test can cause.
@Suite struct FactsTests {
    private static let now = Timestamp(microseconds: 1_795_000_000_000_000)

    struct Clock: Sendable, CustomTestStringConvertible {
        var now = FactsTests.now
        /// The offset of the latest recorded time from `now`.
        var recorded: Duration?
        var state: Diagnostic.State
        var words: String
        var testDescription: String { words }
    }

    static let clocks = [
        Clock(recorded: .seconds(-5), state: .ok, words: "is not behind any stored time"),
        Clock(recorded: .seconds(59), state: .ok, words: "is not behind any stored time"),
        Clock(
            recorded: .seconds(3 * 3600), state: .warning,
            words: "was set back: jokesd has recorded a time 3 hours ahead"),
        Clock(now: Timestamp(microseconds: 1_000_000), state: .failed, words: "a date in the past"),
    ]

    @Test("the clock is compared with recorded times", arguments: clocks)
    func clock(_ row: Clock) {
        let diagnostic = Diagnostic.clock(
            now: row.now, latestRecorded: row.recorded.map { row.now.advanced(by: $0) })
        #expect(diagnostic.state == row.state && diagnostic.message.contains(row.words), "\(diagnostic)")
        #expect((diagnostic.advice == nil) == (row.state == .ok))
    }

    @Test("fewer connections than usual are a warning")
    func clients() {
        var limits = ServiceLimits()
        func checks() -> [String] {
            Diagnostic.clients(connections: 1, streams: 0, allowed: limits).map { "\($0.check) \($0.state)" }
        }
        #expect(checks() == ["clients ok"])
        limits.connections = 9
        #expect(checks() == ["clients ok", "descriptors warning"])
    }

    @Test(
        "a disk must have room for the WAL, and should have room for a second database",
        arguments: [
            (100_000_000, Int?.none, Int(0), Diagnostic.State.ok),
            (8_192_000 + 50_000_000, nil, 0, .ok), (8_192_000 + 49_999_999, nil, 0, .warning),
            (4_095_999, nil, 0, .failed), (96_000, nil, 4_000_000, .warning), (95_999, nil, 4_000_000, .failed),
            (1, nil, 9_000_000, .warning), (0, nil, 9_000_000, .failed),
            (1 << 40, 8, 0, .ok), (1 << 40, 7, 0, .warning), (1 << 40, 0, 0, .failed),
        ])
    func disk(free: Int, files: Int?, log: Int, state: Diagnostic.State) {
        let diagnostic = Diagnostic.disk(
            of: "/state", freeBytes: free, freeFiles: files, databaseBytes: 50_000_000, walBytes: log,
            reasonAgainstWriting: nil)
        #expect(diagnostic.state == state, "\(diagnostic)")
        #expect((diagnostic.advice == nil) == (state == .ok))
    }

    @Test("a folder that is not writable is reported with the kernel's reason")
    func readOnly() {
        let diagnostic = Diagnostic.disk(
            of: "/state", freeBytes: 1 << 40, freeFiles: nil, databaseBytes: 0, walBytes: 0,
            reasonAgainstWriting: "read-only file system")
        #expect(diagnostic.state == .failed && diagnostic.message.contains("cannot write to /state: read-only"))
    }

    @Test("an incomplete check of a large database is in the message")
    func database() {
        let facts = DatabaseFacts(path: "/state/jokes.sqlite", bytes: 4_200_000, walBytes: 0, schemaVersion: 1)
        let diagnostic = Diagnostic.database(.success(facts), .success(false))
        #expect(diagnostic.state == .ok)
        #expect(diagnostic.message.hasSuffix("was not completely checked: 4.2 MB, schema 1"), "\(diagnostic)")
    }

    @Test(
        "sizes have two or three digits",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (9_999, "9.9 kB"), (10_000, "10 kB"),
            (4_096_000, "4.0 MB"), (83_000_000_000, "83 GB"), (5_000_000_000_000, "5.0 TB"),
        ])
    func sizes(bytes: Int, words: String) {
        #expect(bytesInWords(bytes) == words)
    }

    private func failingSource(since start: Timestamp, failures: Int) -> SourceHealth {
        var source = SourceHealth(
            name: "dad", type: "icanhazdadjoke", enabled: true, jokes: .init(cached: 1, shown: 1))
        (source.lastAttempt, source.failingSince) = (Self.now, start)
        (source.failure, source.failures) = ("It is gone.", failures)
        return source
    }

    @Test("a source that fails for longer than the maximum retry delay is a failure")
    func longFailure() {
        func state(_ failingFor: Duration) -> Diagnostic.State? {
            let source = failingSource(since: Self.now.advanced(by: .zero - failingFor), failures: 9)
            return [source].diagnostics(isOffline: false, reload: "reload", now: Self.now).first?.state
        }
        #expect(state(.seconds(86_400)) == .warning && state(.seconds(86_401)) == .failed)
    }
}
