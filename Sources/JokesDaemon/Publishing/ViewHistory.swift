import Diffable
import JokesCore
import JokesProtocol
import Varlink

/// The snapshots of one view, the newest and a few behind it, and the messages that lead to the newest.
///
/// Each message is encoded once, for the first subscriber that needs it. What it holds is bounded: `depth` generations,
/// and as many older ones that subscribers have who do not read.
struct ViewHistory {
    /// Generations a returning subscriber may be behind before it gets the whole snapshot again.
    static let depth = 32
    /// A difference that would be larger than this goes out as a snapshot in pieces: a message stays under 1 MiB.
    static let largestDifference = 512 * 1024

    private struct Generation {
        let number: Int64
        let snapshot: JokeSnapshot
    }

    private let epoch: String
    /// Oldest first; the last is the newest, and there is always one.
    private var generations: [Generation]
    /// What leads to the newest from the one before it, as the data source told it; nil where there is none before.
    private var lastStep: SnapshotDifference<Section, Item>?
    /// By the generation that they lead on from.
    private var known: [Int64: Messages] = [:]
    private var knownSnapshot: Messages?

    init(epoch: String, snapshot: JokeSnapshot, generation: Int64) {
        self.epoch = epoch
        generations = [Generation(number: generation, snapshot: snapshot)]
    }

    var generation: Int64 {
        generations[generations.count - 1].number
    }

    private var newest: JokeSnapshot {
        generations[generations.count - 1].snapshot
    }

    /// Takes in, under the number, that the view's data source shows something else.
    ///
    /// `held` are the generations that subscribers have.
    mutating func advance(
        by step: DiffableTransaction<Section, Item>, generation: Int64, held: () -> Set<Int64>
    ) {
        generations.append(Generation(number: generation, snapshot: step.finalSnapshot))
        lastStep = step.difference
        if generations.count > Self.depth { forgetOldest(but: held()) }
        known.removeAll()
        knownSnapshot = nil
    }

    /// A slow subscriber's generation stays, however old: a difference leads on from there.
    private mutating func forgetOldest(but held: Set<Int64>) {
        let old = generations.dropLast(Self.depth).filter { held.contains($0.number) }
        generations = old.suffix(Self.depth) + generations.suffix(Self.depth)
    }

    /// The messages for a subscriber that has the generation, or nothing yet.
    ///
    /// Nil where it has the newest, but for one that comes back (`isFirst`): it waits for a first answer, and gets a
    /// difference of nothing.
    mutating func messages(from generation: Int64?, isFirst: Bool = false) -> Messages? {
        guard let generation, let base = generations.first(where: { $0.number == generation }) else {
            return wholeSnapshot()
        }
        if generation == self.generation && !isFirst { return nil }
        if let known = known[generation] { return known }
        let messages = message(from: base)
        known[generation] = messages
        return messages
    }

    private mutating func message(from base: Generation) -> Messages {
        let difference = difference(from: base)
        let arriving = difference.items.inserted.map(\.element) + difference.items.updated.map(\.after)
        let bytes = arriving.reduce(0) { $0 + $1.estimatedBytes } + 100 * difference.count
        if bytes > Self.largestDifference { return wholeSnapshot() }
        let message = WatchMethod.Reply(
            epoch: epoch, generation: generation,
            difference: Wire.Difference(difference, base: base.number, to: newest))
        return Messages([message])
    }

    /// Known for who is one step behind; compared for others.
    private func difference(from base: Generation) -> SnapshotDifference<Section, Item> {
        if let lastStep, generations.dropLast().last?.number == base.number { return lastStep }
        return SnapshotDifference(from: base.snapshot, to: newest)
    }

    private mutating func wholeSnapshot() -> Messages {
        if let knownSnapshot { return knownSnapshot }
        let pieces = Wire.pieces(of: newest)
        let messages = Messages(
            pieces.enumerated().map { index, piece in
                WatchMethod.Reply(
                    epoch: epoch, generation: generation, complete: index == pieces.count - 1, snapshot: piece)
            })
        knownSnapshot = messages
        return messages
    }

    /// The newest snapshot as one reply; nil where it would be too large for one.
    var wholeInOne: WatchMethod.Reply? {
        let pieces = Wire.pieces(of: newest)
        guard pieces.count == 1 else { return nil }
        return WatchMethod.Reply(epoch: epoch, generation: generation, complete: true, snapshot: pieces[0])
    }
}
