import Diffable
import JokesCore
import JokesProtocol

/// The picture of one view, the steps that led to it, and the messages that lead to it from earlier generations.
///
/// A step is what changed between two pictures: earlier pictures are made again from the newest, so that a history costs
/// what changed and not what there is. Each message is encoded once, for the first subscriber that needs it. What it holds is
/// bounded by the constants here, and by the newest picture.
struct ViewHistory {
    /// Generations a returning subscriber may be behind before it gets the whole snapshot again. While somebody is
    /// further behind there may be twice as many.
    static let depth = 32
    /// About what the steps may take in memory, but for the last, which is always there.
    static let mostBytes = 4 << 20
    /// A difference that would be larger than this goes out as a snapshot in pieces: a message stays under 1 MiB.
    static let largestDifference = 512 << 10
    /// About what messages may take that are kept for the next who needs them.
    static let mostKnownBytes = 1 << 20

    /// What led on from a generation.
    private struct Step {
        let base: Int64
        let difference: SnapshotDifference<Section, Item>
        let bytes: Int

        init(from base: Int64, _ difference: SnapshotDifference<Section, Item>) {
            self.base = base
            self.difference = difference
            bytes = difference.estimatedMemory
        }
    }

    private let epoch: String
    private(set) var newest: JokeSnapshot
    private(set) var generation: Int64
    /// Oldest first; each leads to the base of the next, the last to the newest.
    private var steps: [Step] = []
    /// By the generation that they lead on from.
    private var known: [Int64: Messages] = [:]
    /// The whole picture where it is one message.
    private var knownPicture: Messages?
    /// Where it is several: for as long as somebody is being sent them.
    private weak var picturePieces: Messages?

    init(epoch: String, snapshot: JokeSnapshot, generation: Int64) {
        self.epoch = epoch
        self.generation = generation
        newest = snapshot
    }

    /// About what the steps take in memory.
    var bytes: Int {
        steps.reduce(0) { $0 + $1.bytes }
    }

    /// The generations that a difference is known from.
    var generations: [Int64] {
        steps.map(\.base) + [generation]
    }

    // MARK: Going on

    /// Takes in, under the number, that the view shows something else.
    ///
    /// `held` are the generations that subscribers have: a slow one's stays, however old, while there is room.
    mutating func advance(
        by difference: SnapshotDifference<Section, Item>, to snapshot: JokeSnapshot, generation: Int64,
        held: () -> Set<Int64>
    ) {
        steps.append(Step(from: self.generation, difference))
        newest = snapshot
        self.generation = generation
        known.removeAll()
        knownPicture = nil
        picturePieces = nil
        guard steps.count > Self.depth || takesTooMuch else { return }
        shorten(held())
    }

    /// The last step stays, whatever it takes.
    private var takesTooMuch: Bool {
        steps.count > 1 && bytes - steps[steps.count - 1].bytes > Self.mostBytes
    }

    /// Forgets old generations, first those that nobody has.
    ///
    /// Behind one that is kept, those are not forgotten at once but many together: that goes back over all steps, and a
    /// subscriber that stopped would have it done for each change.
    private mutating func shorten(_ held: Set<Int64>) {
        while steps.count > Self.depth || takesTooMuch, !held.contains(steps[0].base) { steps.removeFirst() }
        if steps.count > 2 * Self.depth || takesTooMuch { joinOld(held) }
        while steps.count > 2 * Self.depth || takesTooMuch { steps.removeFirst() }
    }

    /// Leads from each of the old generations that somebody has to the next such one in a single step; the newest stay.
    private mutating func joinOld(_ held: Set<Int64>) {
        var recent = steps.count
        var room = Self.mostBytes / 2
        while recent > 0, steps.count - recent < Self.depth, room >= 0 {
            recent -= 1
            room -= steps[recent].bytes
        }
        var joined: [Step] = []
        guard var next = snapshot(at: recent) else { return steps.removeFirst(recent) }
        var picture = next
        for step in steps[..<recent].reversed() {
            // The steps led here, and so they lead back; were it not so, the whole picture would do.
            guard let before = try? picture.applying(step.difference.inverse) else { break }
            picture = before
            guard held.contains(step.base) else { continue }
            joined.append(Step(from: step.base, SnapshotDifference(from: picture, to: next)))
            next = picture
        }
        steps.replaceSubrange(..<recent, with: joined.reversed())
    }

    // MARK: Earlier pictures

    /// The picture that was shown under the number; nil where it is not known any more. O(what changed since).
    func snapshot(of generation: Int64) -> JokeSnapshot? {
        if generation == self.generation { return newest }
        return steps.firstIndex { $0.base == generation }.flatMap(snapshot(at:))
    }

    /// The picture before the step with the index; the newest behind the last.
    private func snapshot(at index: Int) -> JokeSnapshot? {
        // The steps led here, and so they lead back; were it not so, the whole picture would do.
        try? steps[index...].reversed().reduce(newest) { try $0.applying($1.difference.inverse) }
    }

    // MARK: Messages

    /// The messages for a subscriber that has the generation, or nothing yet; nil where there is nothing to say.
    ///
    /// One that waits for a first answer (`isFirst`) gets a difference of nothing where it has the newest. `elsewhere` knows
    /// the pictures of other views by their generations.
    mutating func messages(
        from generation: Int64?, isFirst: Bool = false, elsewhere: (Int64) -> JokeSnapshot? = { _ in nil }
    ) -> Messages? {
        guard let generation else { return picture() }
        if generation == self.generation && !isFirst { return nil }
        if let known = known[generation] { return known }
        let messages: Messages
        if let difference = difference(from: generation) {
            messages = message(difference, from: generation, atMost: Self.largestDifference)
        } else if let base = elsewhere(generation) {
            messages = message(
                SnapshotDifference(from: base, to: newest), from: generation,
                atMost: min(Self.largestDifference, newest.estimatedBytes))
        } else {
            return picture()
        }
        keep(messages, from: generation)
        return messages
    }

    /// The newest snapshot as one reply; nil where it would be too large for one.
    mutating func pictureInOne() -> WatchMethod.Reply? {
        let picture = picture()
        return picture.all.count == 1 ? picture.all[0].reply : nil
    }

    private func difference(from generation: Int64) -> SnapshotDifference<Section, Item>? {
        // What the data source told need not be found again.
        if let last = steps.last, last.base == generation { return last.difference }
        return snapshot(of: generation).map { SnapshotDifference(from: $0, to: newest) }
    }

    private mutating func message(
        _ difference: SnapshotDifference<Section, Item>, from base: Int64, atMost limit: Int
    ) -> Messages {
        let bytes = difference.estimatedBytes
        if bytes > limit { return picture() }
        let reply = WatchMethod.Reply(
            epoch: epoch, generation: generation, difference: Wire.Difference(difference, base: base, to: newest))
        return Messages(to: generation, [reply], bytes: bytes)
    }

    private mutating func picture() -> Messages {
        if let messages = knownPicture ?? picturePieces { return messages }
        let pieces = Wire.pieces(of: newest)
        let replies = pieces.enumerated().map { index, piece in
            WatchMethod.Reply(
                epoch: epoch, generation: generation, complete: index == pieces.count - 1, snapshot: piece)
        }
        let messages = Messages(to: generation, replies, bytes: newest.estimatedBytes)
        if pieces.count == 1 { knownPicture = messages } else { picturePieces = messages }
        return messages
    }

    private mutating func keep(_ messages: Messages, from generation: Int64) {
        guard messages.all.count == 1, messages !== knownPicture else { return }
        let others = known.values.reduce(0) { $0 + $1.bytes }
        if others + messages.bytes > Self.mostKnownBytes { known.removeAll() }
        known[generation] = messages
    }
}

extension JokeSnapshot {
    /// About what it takes as JSON.
    fileprivate var estimatedBytes: Int {
        items.reduce(100 * numberOfSections) { $0 + $1.estimatedBytes }
    }
}

extension SnapshotDifference<Section, Item> {
    /// About what it takes as JSON.
    fileprivate var estimatedBytes: Int {
        let arriving = items.inserted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(arriving + 100 * count) { $0 + $1.after.estimatedBytes }
    }

    /// About what it takes in memory, with the texts that are in it, before and after.
    fileprivate var estimatedMemory: Int {
        let gone = items.deleted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(gone + estimatedBytes) { $0 + $1.before.estimatedBytes }
    }
}
