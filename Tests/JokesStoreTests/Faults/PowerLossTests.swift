import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// A power loss at any moment. Any part of the data that was not synced may be lost.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct PowerLossTests {
    @Test("after any power loss, every acknowledged favorite is present, and each batch is complete or absent")
    func powerLoss() throws {
        var random = SplitMix64(seed: testSeed)
        var losses = 0
        for round in 0..<scaled(16) {
            do {
                losses += try checkPowerLosses(&random)
            } catch {
                throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it, round \(round): \(error)")
            }
        }
        #expect(losses > 0)
    }

    /// Checks the state after each power loss of one workload. Returns the number of power losses.
    private func checkPowerLosses(_ random: inout SplitMix64) throws -> Int {
        let fixture = try Fixture()
        let workload = Workload(seed: random.next(), disk: VolatileDisk(holding: [:]))
        try workload.disk.follow {
            workload.copyRemainingFilesSometimes()
        } during: {
            for _ in 0..<5 {
                let store = try fixture.open()
                for _ in 0..<20 { try workload.step(store) }
            }
        }
        for loss in workload.losses { try check(loss.files, loss.favorites, workload.batches) }
        return workload.losses.count
    }

    private func check(_ files: [String: [UInt8]], _ expected: Workload.Favorites, _ batches: [Range<Int>]) throws {
        let restarted = try Fixture()
        for (path, bytes) in files where !bytes.isEmpty {
            try restarted.write(bytes, to: String(path.split(separator: "/").last ?? ""))
        }
        let store = try restarted.open()
        try verify(store.recovery == nil, "the database counts as damaged: \(String(describing: store.recovery))")
        let reader = try JokeReader(of: store)
        let favorites = try Set(reader.favoriteIDs())
        for (id, isFavorite) in expected.isFavorite where id != expected.pendingID {
            try verify(favorites.contains(id) == isFavorite, "\(id) is \(isFavorite ? "not " : "")a favorite")
        }
        let shown = try Set(reader.shownIDs())
        let complete = try batches.prefix { batch in
            let count = batch.count { shown.contains("a:\($0)") }
            try verify(count == 0 || count == batch.count, "\(count) jokes of the batch \(batch) are present")
            return count > 0
        }
        let kept = complete.reduce(0) { $0 + $1.count }
        try verify(shown.count == kept, "\(shown.count) jokes are shown, but the first complete batches have \(kept)")
        let cursor = try reader.cursor(of: "a")
        try verify(cursor == (complete.isEmpty ? nil : "\(complete.count)"), "the cursor is \(cursor ?? "missing")")
        try checkDatabase(restarted.databasePath)
    }
}

/// Random changes of a store. Copies the files that a power loss would leave, at random moments, and continues.
private final class Workload {
    /// The acknowledged states of jokes, and the joke whose change was interrupted.
    struct Favorites {
        var isFavorite: [String: Bool] = [:]
        var pendingID: String?
    }

    let disk: VolatileDisk
    private(set) var batches: [Range<Int>] = []
    private(set) var losses: [(files: [String: [UInt8]], favorites: Favorites)] = []
    private var favorites = Favorites()
    private var random: SplitMix64
    private var powerRandom: SplitMix64

    init(seed: UInt64, disk: VolatileDisk) {
        self.disk = disk
        random = SplitMix64(seed: seed)
        powerRandom = SplitMix64(seed: ~seed)
    }

    /// Copies the files that a power loss would leave, at random moments.
    func copyRemainingFilesSometimes() {
        guard powerRandom.chance(1, in: 60) else { return }
        losses.append((disk.filesAfterPowerLoss(using: &powerRandom), favorites))
    }

    /// Ingests a batch, or changes a favorite.
    func step(_ store: JokeStore) throws {
        let count = batches.last?.upperBound ?? 0
        guard count > 0, random.chance(3, in: 4) else {
            let batch = count..<count + random.int(in: 1..<30)
            batches.append(batch)
            try store.ingest(jokes(batch), position: SourcePosition(cursor: "\(batches.count)"))
            return
        }
        // With few jokes, most lines of the journal are soon obsolete.
        let id = "a:\(random.int(in: 0..<min(count, 10)))"
        let isFavorite = random.chance(1, in: 2)
        favorites.pendingID = id
        // Long notes make the journal large enough for a compaction at the next start.
        let note = String(repeating: "🦆", count: Favorite.maxNoteLength)
        _ = isFavorite ? try store.favorite(id, note: note) : try store.unfavorite(id)
        favorites.isFavorite[id] = isFavorite
        favorites.pendingID = nil
    }
}
