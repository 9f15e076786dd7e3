import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// What a loss of power leaves of the last transaction: any part of what was written and not synced yet.
///
/// The laws: what was acknowledged before is there, what was taken away stays away, the last change is there or not, and
/// nothing is moved aside, since nothing is damaged.
@Suite struct TornLogTests {
    @Test("whatever part of the last change is on the disk, all is as before it or as after it, and nothing is damaged")
    func lastTransaction() throws {
        let disk = try StarredDisk()
        try checkLaw(
            "torn transactions", cases: getenv("JOKESD_TORTURE") != nil ? 3_000 : 100,
            generate: { random, _ in (random.int(in: 1..<disk.ends.count - 1), SplitMix64(seed: random.next())) },
            law: { last, random in
                var random = random
                let before = try disk.favorites(disk.log(untilTransaction: last))
                let after = try disk.favorites(disk.log(untilTransaction: last + 1))
                let found = try disk.favorites(disk.log(untilTransaction: last, andPartOfNext: &random))
                try hold(
                    found == before || found == after,
                    "lost \(before.subtracting(found)), back \(found.subtracting(before))")
            })
    }
}

/// A database with a log of changes to favorites, written over one of an earlier run.
private struct StarredDisk {
    private let main: [UInt8]
    /// What stood where the log is.
    private let stale: [UInt8]
    private let log: [UInt8]
    /// Where each transaction of the log ends.
    let ends: [Int]

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
        stale = try contentsOfFile("\(fixture.databasePath)-wal", limit: 1 << 26)
        try other.execute("PRAGMA wal_checkpoint(RESTART)")
        for number in 100..<180 {
            try store.star("a:\(number)")
            if number % 7 == 0 { try store.unstar("a:\(number - 3)") }
        }
        main = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        log = try contentsOfFile("\(fixture.databasePath)-wal", limit: 1 << 26)
        let salts = log[16..<24]
        let starts = stride(from: Self.headerSize, to: log.count, by: Self.frameSize)
        ends =
            [Self.headerSize]
            + starts.prefix { [log] in log[($0 + 8)..<($0 + 16)].elementsEqual(salts) }
            .filter { [log] in log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }.map { $0 + Self.frameSize }
        try hold(stale.count > ends[ends.count - 1] / 2 && ends.count > 50, "the log was not begun anew")
    }

    /// The log as it was after so many transactions.
    func log(untilTransaction count: Int) -> [UInt8] {
        Array(log[..<ends[count]]) + stale.dropFirst(ends[count])
    }

    /// And of the one after those what chance leaves.
    func log(untilTransaction count: Int, andPartOfNext random: inout SplitMix64) -> [UInt8] {
        var left = log(untilTransaction: count)
        for start in stride(from: ends[count], to: ends[count + 1], by: Self.frameSize) {
            for part in [start..<start + Self.frameHeaderSize, start + Self.frameHeaderSize..<start + Self.frameSize]
            where random.chance(2, in: 3) {
                left += [UInt8](repeating: 0, count: max(0, part.upperBound - left.count))
                left.replaceSubrange(part, with: log[part])
            }
        }
        return left
    }

    func favorites(_ log: [UInt8]) throws -> Set<String> {
        let fixture = try Fixture()
        try fixture.write(main, to: "jokes.sqlite")
        try fixture.write(log, to: "jokes.sqlite-wal")
        let store = try fixture.open()
        try hold(store.recovery == nil, "recovered: \(String(describing: store.recovery))")
        return try Set(JokeReader(of: store).favoriteIDs())
    }
}
