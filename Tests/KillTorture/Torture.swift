import Glibc
import JokesStore
import TestSupport
import Unix

/// Kills a daemon at random moments (at the start, during syncs and changes of marks, at the stop) and compares the
/// state that it leaves with its answers.
package struct Torture {
    /// The seed of all random choices. The timing depends on the machine.
    package let seed: UInt64
    private let kills: Int
    private let longestLife: Duration
    /// A small file system that is filled repeatedly; `nil` if the disk always has space.
    private let smallDisk: String?
    private var random: SplitMix64
    private var figures = Figures()
    private var filler: DiskFiller?
    /// The batches in the current state folder after the last kill.
    private var stored: Set<ChangingSources.Page> = []

    /// The number of daemons on one state folder. After them a new folder is used.
    private static let livesOfWorld = 25
    private static let maxJokes = 5_000
    private static let visitors = 3

    /// Creates a torture run.
    ///
    /// - Parameters:
    ///   - kills: The number of kills.
    ///   - seed: The seed of all random choices.
    ///   - longestLife: The maximum time between ready and the kill.
    ///   - smallDisk: A folder on a file system of a few megabytes that nothing else uses. The daemons keep their state
    ///     there, and the file system is filled repeatedly.
    package init(kills: Int, seed: UInt64, longestLife: Duration = .milliseconds(700), smallDisk: String? = nil) {
        (self.kills, self.seed, self.smallDisk) = (kills, seed, smallDisk)
        self.longestLife = longestLife
        random = SplitMix64(seed: seed)
    }

    /// Runs all kills.
    ///
    /// - Parameter progress: Called with the figures after each kill.
    /// - Returns: The final figures.
    /// - Throws: `BrokenProperty` with the seed if a check fails.
    package mutating func run(progress: (Figures) -> Void = { _ in }) throws -> Figures {
        do {
            while figures.kills < kills { try liveAndDie(progress) }
            return figures
        } catch {
            throw BrokenProperty("SEED=\(seed), kill \(figures.kills + 1): \(error)")
        }
    }

    /// Starts and kills daemons on one new state folder.
    private mutating func liveAndDie(_ progress: (Figures) -> Void) throws {
        let sources = try ChangingSources()
        let daemon = try TorturedDaemon(
            configuration: sources.configuration(maxJokes: Self.maxJokes),
            state: smallDisk.map { "\($0)/state\(figures.worlds)" })
        defer { if smallDisk != nil { removeTree(daemon.state) } }
        let ledger = Ledger()
        figures.worlds += 1
        stored = []
        for _ in 0..<min(Self.livesOfWorld, kills - figures.kills) {
            let before = ledger.acknowledged
            do {
                try life(daemon, ledger)
                figures.fillings += try filler?.stop() ?? 0
                filler = nil
                try check(daemon, sources, ledger)
            } catch {
                throw BrokenProperty("\(error)\nThe daemon's output: \(daemon.words)")
            }
            figures.acknowledged += ledger.acknowledged - before
            progress(figures)
        }
        // A daemon must still be able to start on the remaining state.
        try daemon.spawn()
        try daemon.waitUntilReady()
        _ = try daemon.kill()
    }

    private enum Moment {
        case start, life, end
    }

    /// Runs a daemon from its start to its kill.
    private mutating func life(_ daemon: TorturedDaemon, _ ledger: Ledger) throws {
        let moment: Moment = random.chance(1, in: 6) ? .start : random.chance(1, in: 8) ? .end : .life
        // A daemon that is still starting may fail because the disk is full.
        if moment == .start { try beginFilling() }
        let started = BootInstant.now
        try daemon.spawn()
        if moment == .start {
            // The daemon may be replaying the journal, reading the WAL, or ready.
            sleepRandomly(upTo: .milliseconds(60), &random)
            return try kill(daemon, \.killsAtStart)
        }
        try daemon.waitUntilReady()
        figures.restarts.append(started.duration(to: .now))
        try beginFilling()
        let visitors = try (0..<Self.visitors).map { number in
            try Visitor(number, of: Self.visitors, at: daemon.socket, ledger, seed: random.next())
        }
        // Usually, the kill follows an acknowledged change that it could lose.
        if random.chance(3, in: 4) { waitForAcknowledgement(ledger) }
        sleepRandomly(upTo: longestLife, &random)
        if moment == .end {
            daemon.terminate()
            sleepRandomly(upTo: .milliseconds(20), &random)
            try kill(daemon, \.killsAtEnd)
        } else {
            try kill(daemon, \.killsAtWork)
        }
        for visitor in visitors { try visitor.waitForEnd() }
    }

    private mutating func beginFilling() throws {
        filler = try smallDisk.map { try DiskFiller($0, seed: random.next()) }
    }

    private mutating func kill(_ daemon: TorturedDaemon, _ moment: WritableKeyPath<Figures, Int>) throws {
        figures.kills += 1
        if try daemon.kill() { figures[keyPath: moment] += 1 } else { figures.ended += 1 }
    }

    /// Checks the state on disk against the ledger and the previous state.
    private mutating func check(
        _ daemon: TorturedDaemon, _ sources: ChangingSources, _ ledger: Ledger
    ) throws {
        let aside = try namesInFolder(daemon.state).filter { $0.hasPrefix("jokes-damaged-") }
        try verify(aside.isEmpty, "the store considered files damaged after a kill: \(aside)")
        guard let state = try StateCheck(of: daemon.state) else {
            return try verify(ledger.acknowledged == 0, "the database is gone")
        }
        try state.checkDatabase()
        let favorites = try state.favorites()
        let journal = try StateCheck(of: daemon.state, names: [Journal.fileName])
        let isSame = try journal?.favorites() ?? [:] == favorites && journal?.hidden() ?? [] == state.hidden()
        try verify(isSame, "the journal and the database have different marks")
        let stars = ledger.compare(.star, Set(favorites.keys))
        try verify(stars.wrong.isEmpty, "favorites differ from what was acknowledged: \(stars.wrong)")
        for id in ledger.ids(.star) {
            let kept = favorites[ChangingSources.fingerprint(id)]
            try verify(kept == nil || kept == ChangingSources.text(id), "the favorite \(id) has the text \(kept ?? "")")
        }
        let hidden = ledger.compare(.hidden, try state.hidden())
        try verify(hidden.wrong.isEmpty, "hidden marks differ from what was acknowledged: \(hidden.wrong)")
        figures.marksChecked += stars.compared + hidden.compared
        let (pages, before) = (sources.pages, stored)
        stored = try state.checkPages(pages)
        // The next start must not discard pages that were stored before the kill.
        try verify(before.isSubset(of: stored), "stored pages are gone: \(before.subtracting(stored))")
        figures.batchesChecked += pages.count
        figures.batchesThere += stored.count
    }

    /// Waits until a call is acknowledged, for at most two seconds because a full disk may prevent it. It polls every
    /// millisecond.
    private func waitForAcknowledgement(_ ledger: Ledger) {
        let (before, deadline) = (ledger.acknowledged, Deadline(after: .seconds(2)))
        while ledger.acknowledged == before && !deadline.isPast { usleep(1_000) }
    }
}
