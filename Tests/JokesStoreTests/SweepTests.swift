import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

@Suite struct SweepTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
        try store.take(jokes(0..<10), part: .whole)
    }

    private func missing() throws -> [String] {
        try reader.shownIDs().filter { try reader.joke(JokeID(rawValue: $0))?.missingSince != nil }
    }

    @Test("a sweep of several batches says what is missing at its end, and not before")
    func severalBatches() throws {
        #expect(try store.take(jokes(0..<3), part: .beginning).missing == 0)
        #expect(try store.take(jokes(3..<6), part: .inside).missing == 0)
        #expect(try missing() == [])
        #expect(try store.take(jokes(6..<9), part: .end) == IngestReport(unchanged: 3, missing: 1))
        #expect(try missing() == ["a:9"])
    }

    @Test("a sweep goes on across restarts, whichever way the clock is set meanwhile")
    func restart() throws {
        try store.take(jokes(0..<3), hours: 9, part: .beginning)
        let second = try fixture.open()
        try second.take(jokes(3..<6) + jokes(20..<21), hours: -9, part: .inside)
        let third = try fixture.open()
        #expect(try third.take(jokes(6..<8), hours: -99, part: .end).missing == 2)
        #expect(try missing() == ["a:9", "a:8"])
    }

    @Test("a sweep that is begun anew forgets the unfinished one")
    func begunAnew() throws {
        try store.take(jokes(0..<5), part: .beginning)
        try store.take(jokes(5..<7), part: .beginning)
        #expect(try store.take(jokes(7..<10), part: .end).missing == 5)
        #expect(try missing() == (0..<5).reversed().map { "a:\($0)" })
    }

    @Test("the end of a sweep that was never begun says nothing")
    func neverBegun() throws {
        #expect(try store.take(jokes(0..<3), part: .end).missing == 0)
        try store.take(jokes(0..<3), part: .beginning)
        #expect(try store.take(jokes(3..<10), part: .end).missing == 0)
        #expect(try store.take(jokes(0..<1), part: .end).missing == 0)
    }

    @Test("two ways to write a joke without an id of its own, in one sweep: the first stays, sweep after sweep")
    func twoWays() throws {
        let (plain, loud) = ([try joke("a", "~", "Same old duck.")], [try joke("a", "~", "SAME old duck!")])
        #expect(try store.take(plain, part: .beginning).new == 1)
        #expect(try store.take(loud, part: .inside) == IngestReport(duplicates: 1))
        try store.take(jokes(0..<10), part: .end)
        #expect(try store.take(plain, part: .beginning) == IngestReport(unchanged: 1))
        #expect(try store.take(loud + jokes(0..<10), part: .end) == IngestReport(unchanged: 10, duplicates: 1))
        #expect(try reader.joke(plain[0].id)?.joke.content.text == .single("Same old duck."))
        #expect(try store.take(loud + jokes(0..<10), part: .whole).changed == 1)
    }

    @Test("what a draw brings while a sweep runs is not missing at its end")
    func drawnMeanwhile() throws {
        try store.take(jokes(0..<5), part: .beginning)
        try store.take(jokes(9..<11), part: .outside)
        #expect(try store.take(jokes(5..<8), part: .end).missing == 1)
        #expect(try missing() == ["a:8"])
    }

    @Test("another source's sweep is another matter")
    func perSource() throws {
        try store.take(jokes(0..<2, from: "b"), from: "b", part: .whole)
        try store.take(jokes(0..<9), part: .beginning)
        try store.take(jokes(0..<1, from: "b"), from: "b", part: .beginning)
        #expect(try store.take(jokes(9..<10), part: .end).missing == 0)
        #expect(try store.take([], from: "b", part: .end).missing == 1)
        #expect(try missing() == ["b:1"])
    }

    @Test("a batch that fails leaves the sweep as it was, and so the batch can be tried again")
    func failedBatch() throws {
        try store.take(jokes(0..<5), part: .beginning)
        let saboteur = try Connection(path: fixture.databasePath, .init(access: .writing))
        try saboteur.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON jokes BEGIN SELECT RAISE(ABORT, 'not this one'); END")
        let ending = try jokes(5..<11)
        #expect(throws: StoreError.self) { try store.take(ending, part: .end, position: SourcePosition(cursor: "end")) }
        #expect(try reader.sourceStates()["a"] == SourceState())
        try saboteur.execute("DROP TRIGGER refuse")
        #expect(try store.take(ending, part: .end, position: SourcePosition(cursor: "end")).missing == 0)
        #expect(try reader.sourceStates()["a"] == SourceState(cursor: "end"))
    }

    @Test("a sweep in several batches writes an unchanged joke once at most, and its last batch none")
    func writesLittle() throws {
        let many = try jokes(0..<2_000)
        try store.take(many, part: .whole)
        let monitor = try Connection(path: fixture.databasePath, .init(access: .writing))
        func logSize(_ batch: ArraySlice<NormalizedJoke>, _ part: SweepPart) throws -> Int {
            try monitor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try store.take(Array(batch), part: part)
            return fixture.logSize
        }
        #expect(try logSize(many[..<1_000], .beginning) > 20 * 4200)
        #expect(try logSize(many[..<1_000], .inside) == 0)
        #expect(try logSize(many[1_000...], .end) < 5 * 4200)
        #expect(try missing() == [])
    }

    @Test("where a source goes on is saved with its batch, and an allowance by itself, each leaving the rest as it is")
    func positionWithBatch() throws {
        let kept = SourceState(
            question: "q", lastAttempt: Fixture.noon, failure: "none", failureCount: 2, newInLastSync: 7)
        try store.assumeIsolated { store in try store.save(kept, of: "a") }
        let whole = Fixture.noon.advanced(by: .seconds(60))
        try store.assumeIsolated { store in try store.saveAllowance(wholeAt: whole, of: "a") }

        try store.take(jokes(20..<21), position: SourcePosition(cursor: "page 2"))
        var expected = kept
        (expected.cursor, expected.allowanceWholeAt) = ("page 2", whole)
        #expect(try reader.sourceStates()["a"] == expected)
        try store.take(jokes(21..<22))
        #expect(try reader.sourceStates()["a"]?.cursor == "page 2")
        try store.take([], from: "new", position: SourcePosition(cursor: "page 0"))
        #expect(try reader.sourceStates()["new"]?.cursor == "page 0")
    }
}
