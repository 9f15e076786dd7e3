import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// Calls that fail while a damaged database is set aside.
///
/// The properties: the call succeeds or throws a `StoreError`; the next one without a fault has every favorite and hidden
/// mark; and at most one damaged file is set aside, with the bytes that it had.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct RecoveryFaultTests {
    private let isLong = testScale >= 1000

    init() {
        seeStorageCalls()
    }

    @Test("whichever call of SQLite fails while a damaged database is set aside, no favorite is lost")
    func storageCalls() throws {
        for scene in try RecoveryScene.all() {
            let (_, calls) = try countingStorageCalls { try scene.begin().recover() }
            try check { random in
                for kind in StorageFault.Kind.all {
                    for number in numbers(upTo: calls[kind.call] ?? 0, some: 3, &random) {
                        for lasts in [false, true] {
                            let fault = StorageFault(kind, number: number, lasts: lasts)
                            try scene.hold("\(fault)") { body in try fault.during(body).result.get() }
                        }
                    }
                }
            }
        }
    }

    @Test(
        "whichever call on a file fails while a damaged database is set aside, no favorite is lost",
        arguments: [EIO, EMFILE, ENOSPC])
    func fileCalls(code: Int32) throws {
        for scene in try RecoveryScene.all() {
            var count = 0
            let begun = try scene.begin()
            try refusingFileCalls({ _, _ in
                count += 1
                return 0
            }) { try begun.recover() }
            try hold(count > 20, "there are \(count) calls")
            try check { random in
                for number in numbers(upTo: count, some: 12, &random) {
                    for lasts in [false, true] {
                        var seen = 0
                        var refused = ""
                        try scene.hold("call \(number)\(lasts ? " and all later ones" : "")") { body in
                            try refusingFileCalls({ call, path in
                                seen += 1
                                guard seen == number || lasts && seen > number else { return 0 }
                                refused = "\(call) \(path)"
                                return code
                            }) {
                                do {
                                    try body()
                                } catch let error as StoreError {
                                    throw error
                                } catch {
                                    throw BrokenLaw("\(refused): \(error)")
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func check(_ body: (inout SplitMix64) throws -> Void) throws {
        var random = SplitMix64(seed: testSeed)
        do {
            try body(&random)
        } catch {
            throw BrokenLaw("JOKESD_TEST_SEED=\(testSeed) repeats it; \(error)")
        }
    }

    /// Some random numbers and the last, or in long runs up to 200 of all.
    private func numbers(upTo count: Int, some: Int, _ random: inout SplitMix64) -> [Int] {
        if isLong { return Array(stride(from: 1, through: count, by: 1 + count / 200)) }
        return (0..<min(some, count)).map { _ in random.int(in: 1..<count + 1) } + [count]
    }
}

/// A damaged database, and when the damage is found.
private struct RecoveryScene {
    let name: String
    let beginning: Beginning
    /// Whether the store is open when the damage is found.
    let isRunning: Bool

    static func all() throws -> [RecoveryScene] {
        [
            RecoveryScene(name: "at start", beginning: try .damaged(), isRunning: false),
            RecoveryScene(name: "while it runs", beginning: try .closed(), isRunning: true),
        ]
    }

    func begin() throws -> Begun {
        let begun = Begun(fixture: try beginning.fixture())
        if isRunning {
            let store = try begun.fixture.open(lockTimeout: .milliseconds(10))
            let damage = StoreError(.corrupt, attempt: "read", reason: "a page is damaged")
            let found = try JokeReader(of: store).damage(damage)
            store.assumeIsolated { $0.report(found) }
            begun.store = store
        }
        return begun
    }

    func hold(_ fault: String, _ under: (_ body: () throws -> Void) throws -> Void) throws {
        do {
            let begun = try begin()
            let before = try contentsOfFile(begun.fixture.databasePath, limit: 1 << 26)
            do {
                try under { try begun.recover() }
            } catch is StoreError {}
            try begun.recover()
            try begun.holdWhole(before)
        } catch {
            throw BrokenLaw("\(name), \(fault): \(error)")
        }
    }
}

private final class Begun {
    let fixture: Fixture
    var store: JokeStore?

    init(fixture: Fixture) {
        self.fixture = fixture
    }

    func recover() throws {
        if let store {
            _ = try store.assumeIsolated { try $0.recover() }
        } else {
            store = try fixture.open(lockTimeout: .milliseconds(10))
        }
    }

    func holdWhole(_ before: [UInt8]) throws {
        // One that found nothing to be damaged in the end has not been opened since.
        if let store { _ = try store.unstar("a:1") }
        store = nil
        let reader = try JokeReader(of: fixture.open())
        let favorites = try reader.favoriteIDs()
        try hold(favorites == ["b:2"], "there are \(favorites)")
        let hidden = try reader.hidden(limit: 9)
        try hold(hidden.count == 1, "hidden are \(hidden)")
        let aside = fixture.names.filter { $0.hasPrefix("jokes-damaged-") && $0.hasSuffix(".sqlite") }
        try hold(aside.count <= 1, "there are \(aside)")
        for name in aside {
            try hold(
                contentsOfFile("\(fixture.path)/\(name)", limit: 1 << 26) == before, "\(name) is not as it was")
        }
        let rest = fixture.names.filter { $0.hasSuffix(".new") }
        try hold(rest.isEmpty, "left over: \(rest)")
    }
}
