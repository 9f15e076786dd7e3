import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// A power loss at any moment, on a disk that may have kept any part of the unsynced data.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct PowerCutTests {
    @Test("after any power loss, every acknowledged favorite is present, and each batch is complete or absent")
    func powerCut() throws {
        var random = SplitMix64(seed: testSeed)
        var losses = 0
        for round in 0..<scaled(16) {
            do {
                losses += try liveAndLosePower(&random)
            } catch {
                throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it, round \(round): \(error)")
            }
        }
        #expect(losses > 0)
    }

    /// Checks the state after each of several losses. Returns their number.
    private func liveAndLosePower(_ random: inout SplitMix64) throws -> Int {
        let fixture = try Fixture()
        let life = Life(seed: random.next(), disk: VolatileDisk(holding: [:]))
        try life.disk.follow {
            life.mayLosePower()
        } during: {
            for _ in 0..<5 {
                let store = try fixture.open()
                for _ in 0..<20 { try life.step(store) }
            }
        }
        for loss in life.losses { try check(loss.files, loss.marks, life.batches) }
        return life.losses.count
    }

    private func check(_ files: [String: [UInt8]], _ marks: Life.Marks, _ batches: [Range<Int>]) throws {
        let left = try Fixture()
        for (path, bytes) in files where !bytes.isEmpty {
            try left.write(bytes, to: String(path.split(separator: "/").last ?? ""))
        }
        let store = try left.open()
        try hold(store.recovery == nil, "taken for damaged: \(String(describing: store.recovery))")
        let reader = try JokeReader(of: store)
        let favorites = try Set(reader.favoriteIDs())
        for (id, isFavorite) in marks.stars where id != marks.open {
            try hold(favorites.contains(id) == isFavorite, "\(id) is \(isFavorite ? "not " : "")a favorite")
        }
        let shown = try Set(reader.shownIDs())
        let whole = try batches.prefix { batch in
            let there = batch.count { shown.contains("a:\($0)") }
            try hold(there == 0 || there == batch.count, "of the batch \(batch) there are \(there)")
            return there > 0
        }
        let kept = whole.reduce(0) { $0 + $1.count }
        try hold(shown.count == kept, "\(shown.count) are shown, and \(kept) are in whole batches from the first on")
        let cursor = try reader.sourceStates()["a"]?.cursor
        try hold(cursor == (whole.isEmpty ? nil : "\(whole.count)"), "it goes on at \(cursor ?? "the beginning")")
        try checkDatabase(left.databasePath)
    }
}

/// A store in use, on a disk that loses power now and then. The state after each loss is copied, and the store continues.
private final class Life {
    /// The acknowledged changes, and the change that was interrupted.
    struct Marks {
        var stars: [String: Bool] = [:]
        var open: String?
    }

    let disk: VolatileDisk
    private(set) var batches: [Range<Int>] = []
    private(set) var losses: [(files: [String: [UInt8]], marks: Marks)] = []
    private var marks = Marks()
    private var random: SplitMix64
    private var chance: SplitMix64

    init(seed: UInt64, disk: VolatileDisk) {
        self.disk = disk
        random = SplitMix64(seed: seed)
        chance = SplitMix64(seed: ~seed)
    }

    func mayLosePower() {
        guard chance.chance(1, in: 60) else { return }
        losses.append((disk.cutPower(using: &chance), marks))
    }

    func step(_ store: JokeStore) throws {
        let count = batches.last?.upperBound ?? 0
        guard count > 0, random.chance(3, in: 4) else {
            let batch = count..<count + random.int(in: 1..<30)
            batches.append(batch)
            try store.take(jokes(batch), position: SourcePosition(cursor: "\(batches.count)"))
            return
        }
        // Few jokes, so that most lines of the journal are soon obsolete.
        let id = "a:\(random.int(in: 0..<min(count, 10)))"
        let isFavorite = random.chance(1, in: 2)
        marks.open = id
        // Long, so that the next start has something to compact.
        let note = String(repeating: "🦆", count: Favorite.maxNoteLength)
        _ = isFavorite ? try store.star(id, note: note) : try store.unstar(id)
        marks.stars[id] = isFavorite
        marks.open = nil
    }
}
