import Glibc
import JokesStore
import TestSupport
import Unix

/// Kills a daemon at random moments while it syncs, stars and hides, starts, tidies up and ends, and holds what it
/// leaves to what it said.
package struct Torture {
    /// How it is begun, and how it goes on: what is decided by lot is decided by the seed, and the rest by the machine.
    package let seed: UInt64
    private let kills: Int
    /// In microseconds.
    private let longestLife: Duration
    /// A small file system that is filled again and again; nil where there is always room.
    private let smallDisk: String?
    private var random: SplitMix64
    private var figures = Figures()
    private var filler: DiskFiller?
    /// The batches that the last kill has left in this world.
    private var stored: Set<ChangingSources.Page> = []

    /// So many daemons live on one state folder; then all begins anew, every other time with an old database.
    private static let livesOfWorld = 25
    private static let maxJokes = 5_000
    private static let visitors = 3

    /// A torture of so many kills.
    ///
    /// - Parameters:
    ///   - kills: How many there are.
    ///   - seed: Of all that is decided by lot.
    ///   - longestLife: So long, at most, a daemon is left alone once it is ready.
    ///   - smallDisk: A folder on a file system of some megabytes that is nobody else's: there the daemons keep their
    ///     state, and again and again it has no room left.
    package init(kills: Int, seed: UInt64, longestLife: Duration = .milliseconds(700), smallDisk: String? = nil) {
        (self.kills, self.seed, self.smallDisk) = (kills, seed, smallDisk)
        self.longestLife = longestLife
        random = SplitMix64(seed: seed)
    }

    /// Runs to the end.
    ///
    /// - Parameter progress: Told of the figures after each kill.
    /// - Returns: The figures at the end.
    /// - Throws: `BrokenLaw` where one was, with the seed.
    package mutating func run(progress: (Figures) -> Void = { _ in }) throws -> Figures {
        do {
            while figures.kills < kills { try liveAndDie(progress) }
            return figures
        } catch {
            throw BrokenLaw("SEED=\(seed), kill \(figures.kills + 1): \(error)")
        }
    }

    /// One state folder from its beginning on.
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
                throw BrokenLaw("\(error)\nThe daemon's words: \(daemon.words)")
            }
            figures.acknowledged += ledger.acknowledged - before
            progress(figures)
        }
        // What is left must still be a daemon's.
        try daemon.spawn()
        try daemon.waitUntilReady()
        _ = try daemon.kill()
    }

    private enum Moment {
        case start, life, end
    }

    /// From a start to a kill.
    private mutating func life(_ daemon: TorturedDaemon, _ ledger: Ledger) throws {
        let moment: Moment = random.chance(1, in: 6) ? .start : random.chance(1, in: 8) ? .end : .life
        // A daemon that has not begun yet may say that there is no room.
        if moment == .start { try beginFilling() }
        let started = BootInstant.now
        try daemon.spawn()
        if moment == .start {
            // It may replay the journal, read the WAL, or be ready.
            passTime(upTo: .milliseconds(60), &random)
            return try kill(daemon, \.killsAtStart)
        }
        try daemon.waitUntilReady()
        figures.restarts.append(started.duration(to: .now))
        try beginFilling()
        let visitors = try (0..<Self.visitors).map { number in
            try Visitor(number, of: Self.visitors, at: daemon.socket, ledger, seed: random.next())
        }
        // Mostly something is to be lost.
        if random.chance(3, in: 4) { waitForAcknowledgement(ledger) }
        passTime(upTo: longestLife, &random)
        if moment == .end {
            daemon.terminate()
            passTime(upTo: .milliseconds(20), &random)
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

    /// Holds what is left to what was said.
    private mutating func check(
        _ daemon: TorturedDaemon, _ sources: ChangingSources, _ ledger: Ledger
    ) throws {
        let aside = try namesInFolder(daemon.state).filter { $0.hasPrefix("jokes-damaged-") }
        try hold(aside.isEmpty, "what no kill can damage was taken for damaged: \(aside)")
        guard let state = try StateCheck(of: daemon.state) else {
            return try hold(ledger.acknowledged == 0, "there is no database any more")
        }
        try state.checkDatabase()
        let favorites = try state.favorites()
        let journal = try StateCheck(of: daemon.state, names: [Journal.fileName])
        let isSame = try journal?.favorites() ?? [:] == favorites && journal?.hidden() ?? [] == state.hidden()
        try hold(isSame, "the journal alone does not have what the database has")
        let stars = ledger.settle(.star, Set(favorites.keys))
        try hold(stars.wrong.isEmpty, "not as acknowledged: stars of \(stars.wrong)")
        for id in ledger.ids(.star) {
            let kept = favorites[ChangingSources.fingerprint(id)]
            try hold(kept == nil || kept == ChangingSources.text(id), "the favorite \(id) says \(kept ?? "")")
        }
        let hidden = ledger.settle(.hidden, try state.hidden())
        try hold(hidden.wrong.isEmpty, "not as acknowledged: hidden marks of \(hidden.wrong)")
        figures.marksChecked += stars.compared + hidden.compared
        let (pages, before) = (sources.pages, stored)
        stored = try state.checkPages(pages)
        // What one kill has left, the next start did not throw away.
        try hold(before.isSubset(of: stored), "pages are gone: \(before.subtracting(stored))")
        figures.batchesChecked += pages.count
        figures.batchesThere += stored.count
    }

    /// Waits until somebody has been served, looking every millisecond; not for long, since on a full disk nobody is.
    private func waitForAcknowledgement(_ ledger: Ledger) {
        let (before, deadline) = (ledger.acknowledged, Deadline(after: .seconds(2)))
        while ledger.acknowledged == before && !deadline.isPast { usleep(1_000) }
    }
}
