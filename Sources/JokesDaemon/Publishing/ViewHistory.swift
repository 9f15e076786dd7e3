import Diffable
import JokesCore
import JokesProtocol

/// The newest snapshot of a view, the last differences that led to it, and the messages for subscribers.
///
/// Earlier snapshots are computed from the newest one, so a history takes the memory of what changed. A subscriber whose
/// generation is not known any more gets the snapshot.
struct ViewHistory {
    static let maxDifferences = 32
    /// The approximate maximum size of all differences but the last one, in bytes.
    static let maxBytes = 128 << 10
    /// A larger difference is sent as a snapshot in pieces: a message stays under 1 MiB.
    static let maxDifferenceMessage = 512 << 10
    /// The approximate maximum size of a piece: a hundred large views are sent at once in little memory.
    static let maxPiece = 128 << 10

    /// A difference to the next generation.
    struct Step {
        let base: Int64
        let difference: SnapshotDifference<Section, Item>
        let bytes: Int
    }

    private let epoch: String
    private(set) var newest: JokeSnapshot
    private(set) var generation: Int64
    /// The oldest first. Each leads to the base of the next one, and the last one to the newest snapshot.
    private(set) var steps: [Step] = []
    /// The message from the generation before the newest one, which most subscribers have.
    private var lastDifference: Message?
    /// The first piece of the newest snapshot, as long as a subscriber is being sent it, and the pieces after it.
    private weak var firstPiece: Message?
    private var laterPieces: SnapshotPieces?

    init(epoch: String, snapshot: JokeSnapshot, generation: Int64) {
        self.epoch = epoch
        self.generation = generation
        newest = snapshot
    }

    /// The approximate size of the differences in memory, in bytes.
    var bytes: Int { steps.reduce(0) { $0 + $1.bytes } }

    mutating func advance(
        by difference: SnapshotDifference<Section, Item>, to snapshot: JokeSnapshot, generation: Int64
    ) {
        steps.append(Step(base: self.generation, difference: difference, bytes: difference.estimatedMemory))
        newest = snapshot
        self.generation = generation
        (lastDifference, firstPiece, laterPieces) = (nil, nil, nil)
        while steps.count > Self.maxDifferences || bytes - (steps.last?.bytes ?? 0) > Self.maxBytes {
            steps.removeFirst()
        }
    }

    // MARK: Messages

    /// Returns the next message for a subscriber that has a generation, or nothing yet; nil if it lacks nothing. If the message
    /// begins a snapshot in pieces, `rest` has the other pieces.
    ///
    /// A subscriber that waits for its first message (`isFirst`) gets an empty difference if it has the newest generation.
    mutating func message(from generation: Int64?, isFirst: Bool, rest: inout SnapshotPieces?) -> Message? {
        if generation == self.generation {
            return isFirst ? message(SnapshotDifference(from: newest, to: newest), from: self.generation) : nil
        }
        guard let index = steps.firstIndex(where: { $0.base == generation }) else { return snapshot(rest: &rest) }
        let isLast = index == steps.count - 1
        if isLast, let lastDifference { return lastDifference }
        let difference = isLast ? steps[index].difference : difference(fromBefore: index)
        guard let difference, let message = message(difference, from: steps[index].base) else {
            return snapshot(rest: &rest)
        }
        if isLast { lastDifference = message }
        return message
    }

    /// The difference from the snapshot before a step to the newest one. O(items that changed since)
    private func difference(fromBefore index: Int) -> SnapshotDifference<Section, Item>? {
        // The inverse differences restore the earlier snapshot.
        let before = try? steps[index...].reversed().reduce(newest) { try $0.applying($1.difference.inverse) }
        return before.map { SnapshotDifference(from: $0, to: newest) }
    }

    /// Returns the message with a difference; nil if it is too large.
    private func message(_ difference: SnapshotDifference<Section, Item>, from base: Int64) -> Message? {
        if difference.estimatedBytes > Self.maxDifferenceMessage { return nil }
        return Message(
            WatchMethod.Reply(
                epoch: epoch, generation: generation, difference: Wire.Difference(difference, base: base, to: newest)))
    }

    private mutating func snapshot(rest: inout SnapshotPieces?) -> Message {
        if let firstPiece {
            rest = laterPieces
            return firstPiece
        }
        var pieces = SnapshotPieces(of: newest, bytesEach: Self.maxPiece)
        let message = nextPiece(of: &pieces)
        (firstPiece, laterPieces) = (message, pieces)
        rest = pieces
        return message
    }

    /// Returns the next piece of the newest snapshot, which must not be at its end.
    func nextPiece(of pieces: inout SnapshotPieces) -> Message {
        let piece = pieces.next() ?? []
        return Message(
            WatchMethod.Reply(epoch: epoch, generation: generation, complete: pieces.isAtEnd, snapshot: piece))
    }

    /// The newest snapshot in one message; nil if it does not fit.
    func snapshotInOne() -> WatchMethod.Reply? {
        let pieces = Wire.pieces(of: newest)
        return pieces.count == 1
            ? WatchMethod.Reply(epoch: epoch, generation: generation, complete: true, snapshot: pieces[0]) : nil
    }
}

extension SnapshotDifference<Section, Item> {
    /// The approximate size as JSON, in bytes.
    fileprivate var estimatedBytes: Int {
        let arriving = items.inserted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(arriving + 100 * count) { $0 + $1.after.estimatedBytes }
    }

    /// The approximate size in memory, in bytes, with the items before and after.
    fileprivate var estimatedMemory: Int {
        let gone = items.deleted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(gone + estimatedBytes) { $0 + $1.before.estimatedBytes }
    }
}
