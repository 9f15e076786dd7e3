import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Failing calls during the recovery from a damaged database, at a start or while the store is open.
///
/// The recovery succeeds or throws a `StoreError`. The next recovery, without a fault, keeps every favorite and hidden
/// mark. At most one damaged database is renamed, and its content is not changed.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct RecoveryFaultTests {
    private let isLong = testScale >= 1000

    init() {
        installFaultVFS()
    }

    @Test(
        "if a VFS call or allocation of SQLite fails during a recovery, no favorite is lost",
        arguments: Damage.allCases)
    fileprivate func storageCalls(damage: Damage) throws {
        let (_, calls) = try countingStorageCalls { try DamagedStore(damage).recover() }
        var random = SplitMix64(seed: testSeed)
        for kind in StorageFault.Kind.all {
            for number in numbers(upTo: calls[kind.call] ?? 0, sample: 3, &random) {
                for lasts in [false, true] {
                    let fault = StorageFault(kind, number: number, lasts: lasts)
                    try check("\(fault)", damage) { recover in try fault.during(recover).result.get() }
                }
            }
        }
    }

    @Test(
        "if a file operation of the store fails during a recovery, no favorite is lost",
        arguments: [EIO, EMFILE, ENOSPC])
    func fileCalls(code: Int32) throws {
        for damage in Damage.allCases {
            var count = 0
            let store = try DamagedStore(damage)
            try refusingFileCalls({ _, _ in
                count += 1
                return 0
            }) { try store.recover() }
            try verify(count > 10, "there are only \(count) calls")
            var random = SplitMix64(seed: testSeed)
            for number in numbers(upTo: count, sample: 12, &random) {
                for lasts in [false, true] {
                    var callCount = 0
                    try check("file call \(number)\(lasts ? " and all later ones" : "")", damage) { recover in
                        try refusingFileCalls(
                            { _, _ in
                                callCount += 1
                                return callCount == number || lasts && callCount > number ? code : 0
                            }, during: recover)
                    }
                }
            }
        }
    }

    /// Returns random numbers and the last number, or in long runs about 60 numbers at equal distances.
    private func numbers(upTo count: Int, sample: Int, _ random: inout SplitMix64) -> [Int] {
        if isLong { return Array(stride(from: 1, through: count, by: 1 + count / 60)) }
        return (0..<min(sample, count)).map { _ in random.int(in: 1..<count + 1) } + [count]
    }

    private func check(
        _ fault: String, _ damage: Damage, _ failing: (_ recover: () throws -> Void) throws -> Void
    ) throws {
        do {
            let store = try DamagedStore(damage)
            do {
                try failing { try store.recover() }
            } catch is StoreError {}
            try store.recover()
            try store.checkAllKeptAfterRemovingOne()
        } catch {
            throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; \(damage), \(fault): \(error)")
        }
    }
}

/// Before the start, the database is unreadable. While the store is open, it is sound but reported as damaged, or its
/// file is removed.
private enum Damage: CaseIterable { case unreadable, reported, removed }

/// A store with favorites and a damaged database.
private final class DamagedStore {
    private let original: FavoriteFiles
    private let fixture: Fixture
    private let databaseBytes: [UInt8]?
    private var store: JokeStore?

    init(_ damage: Damage) throws {
        original = try .shared(hasWAL: false)
        fixture = try original.makeFixture { files in
            if damage == .unreadable {
                files["jokes.sqlite"]?.replaceSubrange(0..<100, with: repeatElement(0xA5, count: 100))
            }
        }
        databaseBytes = try fixture.contents()["jokes.sqlite"]
        if damage == .unreadable { return }
        let store = try fixture.open(lockTimeout: .milliseconds(10))
        if damage == .reported {
            let found = try JokeReader(of: store).damage(
                StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
            store.assumeIsolated { $0.report(found) }
        } else {
            #expect(unlink(fixture.databasePath) == 0)
            #expect(throws: StoreError.self) { try store.unfavorite(original.favorites[0].id.rawValue) }
        }
        self.store = store
    }

    func recover() throws {
        if let store {
            _ = try store.assumeIsolated { try $0.recover() }
        } else {
            store = try fixture.open(lockTimeout: .milliseconds(10))
        }
    }

    /// Removes one favorite, and checks that all other favorites and the hidden marks are kept.
    func checkAllKeptAfterRemovingOne() throws {
        // If the store could open the database only for reading, this change opens it for writing.
        try store?.unfavorite(original.favorites[0].id.rawValue)
        store = nil
        let reader = try JokeReader(of: fixture.open())
        let favorites = try reader.favorites()
        try verify(favorites == Array(original.favorites.dropFirst()), "the favorites are \(favorites.map(\.id))")
        try verify(try reader.hiddenMarks(limit: 100) == original.hidden, "the hidden marks differ")
        let renamed = fixture.names.filter { $0.hasPrefix("jokes-damaged-") && $0.hasSuffix(".sqlite") }
        try verify(renamed.count <= 1, "several databases are renamed: \(renamed)")
        for name in renamed { try verify(fixture.contents()[name] == databaseBytes, "\(name) was changed") }
        try verify(!fixture.names.contains { $0.hasSuffix(".new") }, "a temporary file is left: \(fixture.names)")
    }
}
