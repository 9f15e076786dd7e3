import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Failing calls during the recovery from a damaged database, at a start or while the store is open.
///
/// The recovery succeeds or throws a `StoreError`. The next one, without a fault, has every favorite and hidden mark, and at
/// most one damaged file is moved aside, unchanged.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct RecoveryFaultTests {
    private let isLong = testScale >= 1000

    init() {
        seeStorageCalls()
    }

    @Test("if any call of SQLite fails during a recovery, no favorite is lost", arguments: [false, true])
    func storageCalls(isRunning: Bool) throws {
        let (_, calls) = try countingStorageCalls { try DamagedStore(isRunning: isRunning).recover() }
        var random = SplitMix64(seed: testSeed)
        for kind in StorageFault.Kind.all {
            for number in numbers(upTo: calls[kind.call] ?? 0, some: 3, &random) {
                for lasts in [false, true] {
                    let fault = StorageFault(kind, number: number, lasts: lasts)
                    try check("\(fault)", isRunning) { recover in try fault.during(recover).result.get() }
                }
            }
        }
    }

    @Test("if any call on a file fails during a recovery, no favorite is lost", arguments: [EIO, EMFILE, ENOSPC])
    func fileCalls(code: Int32) throws {
        for isRunning in [false, true] {
            var count = 0
            let store = try DamagedStore(isRunning: isRunning)
            try refusingFileCalls({ _, _ in
                count += 1
                return 0
            }) { try store.recover() }
            try hold(count > 20, "there are \(count) calls")
            var random = SplitMix64(seed: testSeed)
            for number in numbers(upTo: count, some: 12, &random) {
                for lasts in [false, true] {
                    var seen = 0
                    try check("file call \(number)\(lasts ? " and all later ones" : "")", isRunning) { recover in
                        try refusingFileCalls(
                            { _, _ in
                                seen += 1
                                return seen == number || lasts && seen > number ? code : 0
                            }, during: recover)
                    }
                }
            }
        }
    }

    /// Some random numbers and the last, or in long runs up to 60 of all.
    private func numbers(upTo count: Int, some: Int, _ random: inout SplitMix64) -> [Int] {
        if isLong { return Array(stride(from: 1, through: count, by: 1 + count / 60)) }
        return (0..<min(some, count)).map { _ in random.int(in: 1..<count + 1) } + [count]
    }

    private func check(
        _ fault: String, _ isRunning: Bool, _ failing: (_ recover: () throws -> Void) throws -> Void
    ) throws {
        do {
            let store = try DamagedStore(isRunning: isRunning)
            do {
                try failing { try store.recover() }
            } catch is StoreError {}
            try store.recover()
            try store.holdAll()
        } catch {
            throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; running: \(isRunning), \(fault): \(error)")
        }
    }
}

/// A store with favorites whose database is damaged: before it is opened, or as an open store reports it.
private final class DamagedStore {
    private let whole: FavoriteFiles
    private let fixture: Fixture
    private let damaged: [UInt8]?
    private var store: JokeStore?

    init(isRunning: Bool) throws {
        whole = try .shared(hasWAL: false)
        fixture = try whole.fixture { files in
            if !isRunning { files["jokes.sqlite"]?.replaceSubrange(0..<100, with: repeatElement(0xA5, count: 100)) }
        }
        damaged = try fixture.contents()["jokes.sqlite"]
        guard isRunning else { return }
        let store = try fixture.open(lockTimeout: .milliseconds(10))
        let found = try JokeReader(of: store).damage(StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
        store.assumeIsolated { $0.report(found) }
        self.store = store
    }

    func recover() throws {
        if let store {
            _ = try store.assumeIsolated { try $0.recover() }
        } else {
            store = try fixture.open(lockTimeout: .milliseconds(10))
        }
    }

    func holdAll() throws {
        // A change opens a store again that found no damage in the end.
        try store?.unstar(whole.favorites[0].id.rawValue)
        store = nil
        let reader = try JokeReader(of: fixture.open())
        let favorites = try reader.favorites()
        try hold(favorites == Array(whole.favorites.dropFirst()), "there are \(favorites.map(\.id))")
        try hold(try reader.hidden(limit: 100) == whole.hidden, "the hidden marks differ")
        let aside = fixture.names.filter { $0.hasPrefix("jokes-damaged-") && $0.hasSuffix(".sqlite") }
        try hold(aside.count <= 1, "there are \(aside)")
        for name in aside { try hold(fixture.contents()[name] == damaged, "\(name) was changed") }
        try hold(!fixture.names.contains { $0.hasSuffix(".new") }, "left over: \(fixture.names)")
    }
}
