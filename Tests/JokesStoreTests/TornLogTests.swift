import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// What a loss of power leaves of the transactions that were not synced: any part of what was written.
///
/// The laws: what was acknowledged before is there, what was taken away stays away, the last change is there or not, each
/// batch is there whole or not at all, and nothing is moved aside, since nothing is damaged.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct TornLogTests {
    @Test("whatever part of the last change is on the disk, all is as before it or as after it, and nothing is damaged")
    func lastTransaction() throws {
        let disk = try StarredDisk()
        try checkLaw(
            "torn transactions", cases: 300,
            generate: { random, _ in (random.int(in: 1..<disk.ends.count - 1), SplitMix64(seed: random.next())) },
            law: { last, random in
                var random = random
                try disk.holdLaws(from: last, count: 1, tornBy: &random)
            })
    }

    @Test("whatever part is on the disk of batches and of the change behind them, nothing acknowledged is lost")
    func unsyncedTransactions() throws {
        let disk = try StarredDisk()
        let runs = disk.unsyncedRuns
        try hold(runs.count > 20, "there are \(runs)")
        try checkLaw(
            "torn batches", cases: 300,
            generate: { random, _ in (runs[random.int(in: 0..<runs.count)], SplitMix64(seed: random.next())) },
            law: { run, random in
                var random = random
                try disk.holdLaws(from: run.lowerBound, count: run.count, tornBy: &random)
            })
    }

    @Test("any one block of a batch missing in front of a star that was not acknowledged costs that batch alone")
    func oneBlock() throws {
        let disk = try StarredDisk()
        let run = try #require(disk.unsyncedRuns.first { $0.count == 2 && disk.synced[$0.lowerBound + 1] })
        let blocks = disk.ends[run.lowerBound] / 4096...disk.ends[run.lowerBound + 1] / 4096
        for block in blocks {
            let lost = [block * 4096..<(block + 1) * 4096]
            try disk.holdLaws(from: run.lowerBound, count: 2, disk.log(run, without: lost, isZero: true))
            try disk.holdLaws(from: run.lowerBound, count: 2, disk.log(run, without: lost, isZero: false))
        }
    }

    @Test("a star that was acknowledged last, behind a batch that went bad on the disk, is there")
    func acknowledgedLast() throws {
        let disk = try StarredDisk()
        var count = 0
        for run in disk.unsyncedRuns where disk.synced[run.upperBound - 1] {
            let after = try disk.state(afterTransactions: run.upperBound)
            // In the first page of the first batch.
            let flipped = disk.ends[run.lowerBound] + 24 + 3
            var log = disk.log(untilTransaction: run.upperBound)
            log[flipped] ^= 1
            // What was unstarred last may be back.
            #expect(try disk.state(log).marks.isSuperset(of: after.marks))
            count += 1
        }
        #expect(count > 10)
    }
}

/// A database with a log of changes to favorites and of batches between them, written over one of an earlier run.
private final class StarredDisk {
    struct State: Equatable {
        /// Favorites and hidden marks.
        var marks: Set<String>
        var stored: Int
    }

    private let main: [UInt8]
    /// What stood where the log is.
    private let stale: [UInt8]
    private let log: [UInt8]
    /// Where each transaction of the log ends.
    let ends: [Int]
    /// Whether each one was synced.
    let synced: [Bool]
    /// What is found after so many transactions.
    private var states: [Int: State] = [:]

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let frameSize = frameHeaderSize + 4096

    init() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.take(jokes(0..<300))
        for number in 0..<100 { try store.star("a:\(number)") }
        // Copies of these stay in the log, behind what is written there next.
        for number in 20..<90 { try store.unstar("a:\(number)") }
        let other = try Connection(path: fixture.databasePath, .init(access: .writing))
        for number in 0..<20 { try store.take(jokes(number * 20..<number * 20 + 20, from: "c"), from: "c") }
        stale = try contentsOfFile("\(fixture.databasePath)-wal", limit: 1 << 26)
        try other.execute("PRAGMA wal_checkpoint(RESTART)")
        // As long as somebody reads what is there now, the log only grows.
        try other.execute("BEGIN; SELECT count(*) FROM favorites")
        var synced: [Bool] = []
        for number in 100..<128 {
            synced.append(try Self.change(store, number))
            for batch in 0..<(number % 4) {
                let first = (number * 4 + batch) * 8
                try store.take(jokes(first..<first + 8, from: "b"), from: "b")
                synced.append(false)
            }
        }
        main = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        log = try contentsOfFile("\(fixture.databasePath)-wal", limit: 1 << 26)
        self.synced = synced
        let (log, salts) = (log, log[16..<24])
        let starts = stride(from: Self.headerSize, to: log.count, by: Self.frameSize)
        ends =
            [Self.headerSize]
            + starts.prefix { log[($0 + 8)..<($0 + 16)].elementsEqual(salts) }
            .filter { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }.map { $0 + Self.frameSize }
        try hold(stale.count > ends[ends.count - 1] / 2, "the log was not begun anew")
        try hold(ends.count - 1 == synced.count, "\(ends.count - 1) transactions of \(synced.count) changes")
    }

    /// A change of what must not be lost.
    private static func change(_ store: JokeStore, _ number: Int) throws -> Bool {
        switch number % 7 {
        case 0: try store.unstar("a:\(number - 2)")
        case 3: try store.star("a:\(number - 1)", note: "note \(number)")
        case 4:
            _ = try store.assumeIsolated { store in
                try store.setHidden(true, JokeID(rawValue: "a:\(number)"), at: Fixture.noon)
            }
        case 6:
            let keepsakes = (0..<5).map { place in
                let content = JokeContent(
                    text: .single("Brought duck \(number) \(place)."), language: "en", safety: .safe)
                return Keepsake.favorite(
                    Favorite(
                        id: JokeID(rawValue: "z:\(number).\(place)"), content: content, favoritedAt: Fixture.noon,
                        firstSeen: Fixture.noon, note: nil))
            }
            _ = try store.assumeIsolated { store in
                _ = try store.layAside(keepsakes, ofImport: 1)
                return try store.finishImport(1, of: keepsakes.count, at: Fixture.noon)
            }
        default: try store.star("a:\(number)")
        }
        return true
    }

    /// Transactions that may all be on the disk in part: batches, and a change behind them.
    var unsyncedRuns: [Range<Int>] {
        synced.indices.filter { !synced[$0] }.flatMap { first in
            let end = synced[first...].firstIndex(of: true) ?? synced.count
            return (first + 1...min(end + 1, synced.count)).map { first..<$0 }
        }
    }

    /// The log as it was after so many transactions.
    func log(untilTransaction count: Int) -> [UInt8] {
        Array(log[..<ends[count]]) + stale.dropFirst(ends[count])
    }

    /// The log after the transactions, but for what is lost of them: there is what was there before, or nothing.
    func log(_ transactions: Range<Int>, without lost: [Range<Int>], isZero: Bool) -> [UInt8] {
        var left = log(untilTransaction: transactions.upperBound)
        let bounds = ends[transactions.lowerBound]..<ends[transactions.upperBound]
        for range in lost {
            let range = range.clamped(to: bounds)
            let before = isZero ? [] : Array(stale.dropFirst(range.lowerBound).prefix(range.count))
            left.replaceSubrange(range, with: before + [UInt8](repeating: 0, count: range.count - before.count))
        }
        return left
    }

    func holdLaws(from first: Int, count: Int, tornBy random: inout SplitMix64) throws {
        let bounds = ends[first]..<ends[first + count]
        let parts: [Range<Int>] =
            switch random.int(in: 0..<3) {
            // As they were written.
            case 0:
                stride(from: bounds.lowerBound, to: bounds.upperBound, by: Self.frameSize).flatMap { start in
                    let page = start + Self.frameHeaderSize
                    return [start..<page, page..<start + Self.frameSize]
                }
            // As the system writes them.
            case 1: (bounds.lowerBound / 4096...bounds.upperBound / 4096).map { $0 * 4096..<$0 * 4096 + 4096 }
            // As a disk does.
            default: (bounds.lowerBound / 512...bounds.upperBound / 512).map { $0 * 512..<$0 * 512 + 512 }
            }
        let few = Set((0..<random.int(in: 1..<4)).map { _ in random.int(in: 0..<parts.count) })
        let isFew = random.chance(1, in: 2)
        let lost = parts.enumerated().filter { isFew ? few.contains($0.offset) : random.chance(1, in: 3) }.map(
            \.element)
        try holdLaws(
            from: first, count: count, log(first..<first + count, without: lost, isZero: random.chance(1, in: 2)))
    }

    /// Holds what is found with a log to what was acknowledged before these transactions.
    func holdLaws(from first: Int, count: Int, _ log: [UInt8]) throws {
        let before = try state(afterTransactions: first)
        let after = try state(afterTransactions: first + count)
        let stored = try (first...first + count).map { try state(afterTransactions: $0).stored }
        try state(log) { fixture, store, found in
            try hold(
                found.marks == before.marks || found.marks == after.marks,
                "lost \(before.marks.subtracting(found.marks)), back \(found.marks.subtracting(before.marks))")
            try hold(stored.contains(found.stored), "\(found.stored) are stored, and not one of \(stored)")
            try Self.holdNextLife(fixture, store)
        }
    }

    /// What is left of lost transactions behind the next change says nothing any more when the process is killed.
    private static func holdNextLife(_ fixture: Fixture, _ store: JokeStore) throws {
        guard let newest = try JokeReader(of: store).favoriteIDs().first else { return }
        try store.unstar(newest)
        let marks = try state(fixture).marks
        let next = try Fixture()
        for name in ["jokes.sqlite", "jokes.sqlite-wal"] {
            try next.write(contentsOfFile("\(fixture.path)/\(name)", limit: 1 << 26), to: name)
        }
        let again = try next.open()
        try hold(again.recovery == nil, "recovered later: \(String(describing: again.recovery))")
        try hold(try state(next).marks == marks, "without \(newest) there were \(marks.count) marks, and now others")
    }

    func state(afterTransactions count: Int) throws -> State {
        if let known = states[count] { return known }
        let state = try state(log(untilTransaction: count))
        states[count] = state
        return state
    }

    /// What a store finds with a log, which is not damaged.
    @discardableResult
    func state(_ log: [UInt8], _ body: (Fixture, JokeStore, State) throws -> Void = { _, _, _ in }) throws -> State {
        let fixture = try Fixture()
        try fixture.write(main, to: "jokes.sqlite")
        try fixture.write(log, to: "jokes.sqlite-wal")
        let store = try fixture.open()
        try hold(store.recovery == nil, "recovered: \(String(describing: store.recovery))")
        let found = try Self.state(fixture)
        try body(fixture, store, found)
        return found
    }

    private static func state(_ fixture: Fixture) throws -> State {
        let connection = try Connection(path: fixture.databasePath, .init(access: .reading))
        let marks = try connection.prepare(
            """
            SELECT 'star ' || id || ' ' || setup || quote(note) FROM favorites
            UNION ALL SELECT 'hidden ' || hex(fingerprint) || hidden_at FROM hidden
            """
        ).map { row in try row.read(0, as: String.self) }
        let stored = try connection.prepare("SELECT count(*) FROM jokes").first { row in try row.read(0, as: Int.self) }
        return State(marks: Set(marks), stored: stored ?? 0)
    }
}
