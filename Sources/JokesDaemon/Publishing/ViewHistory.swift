import Diffable
import JokesCore
import JokesProtocol

/// The newest snapshot of a view, the last differences that led to it, and the messages for subscribers.
///
/// Earlier snapshots are computed from the newest one, so the memory of a history is proportional to the changes. A
/// subscriber whose generation is no longer in the history gets the snapshot.
struct ViewHistory {
    /// The maximum number of differences.
    static let maxDifferences = 32
    /// The approximate maximum size of all differences but the last one, in bytes.
    static let maxBytes = 128 << 10
    /// The maximum size of a difference message, in bytes. Instead of a larger message, the snapshot is sent in pieces.
    static let maxDifferenceMessage = 512 << 10
    /// The approximate maximum size of a piece, in bytes. A low value saves memory if many large views are sent
    /// together.
    static let maxPiece = 128 << 10

    /// A difference from the generation `base` to the next generation.
    struct Change {
        let base: Int64
        let difference: SnapshotDifference<Section, Item>
        let bytes: Int
    }

    private let epoch: String
    private(set) var newest: JokeSnapshot
    private(set) var generation: Int64
    /// The changes, the oldest first. Each leads to the base of the next change, and the last one to the newest
    /// snapshot.
    private(set) var changes: [Change] = []
    /// The message with the last difference, which most subscribers need; nil before its first use.
    private var lastDifference: Message?

    init(epoch: String, snapshot: JokeSnapshot, generation: Int64) {
        self.epoch = epoch
        self.generation = generation
        newest = snapshot
    }

    /// The approximate size of the differences in memory, in bytes.
    var bytes: Int { changes.reduce(0) { $0 + $1.bytes } }

    /// Adds a difference to a new snapshot, and removes the oldest changes beyond the limits.
    mutating func advance(
        by difference: SnapshotDifference<Section, Item>, to snapshot: JokeSnapshot, generation: Int64
    ) {
        changes.append(Change(base: self.generation, difference: difference, bytes: difference.estimatedMemory))
        newest = snapshot
        self.generation = generation
        lastDifference = nil
        while changes.count > Self.maxDifferences || bytes - (changes.last?.bytes ?? 0) > Self.maxBytes {
            changes.removeFirst()
        }
    }

    // MARK: Messages

    /// Returns the next message for a subscriber at a generation.
    ///
    /// - Parameters:
    ///   - generation: The generation of the subscriber; nil if it has no snapshot yet.
    ///   - sendsUnchanged: If true, a subscriber that is up to date gets an empty difference.
    ///   - rest: Receives the other pieces if the message begins a snapshot in pieces.
    /// - Returns: The message; nil if the subscriber is up to date, and `sendsUnchanged` is false.
    mutating func message(from generation: Int64?, sendsUnchanged: Bool, rest: inout SnapshotPieces?) -> Message? {
        if generation == self.generation {
            return sendsUnchanged ? message(SnapshotDifference(), from: self.generation) : nil
        }
        guard let index = changes.firstIndex(where: { $0.base == generation }) else { return snapshot(rest: &rest) }
        let isLast = index == changes.count - 1
        if isLast, let lastDifference { return lastDifference }
        let difference = isLast ? changes[index].difference : difference(fromBefore: index)
        guard let difference, let message = message(difference, from: changes[index].base) else {
            return snapshot(rest: &rest)
        }
        if isLast { lastDifference = message }
        return message
    }

    /// Returns the difference from the snapshot before a change to the newest snapshot. O(changed items)
    private func difference(fromBefore index: Int) -> SnapshotDifference<Section, Item>? {
        // The inverse differences restore the earlier snapshot.
        try? SnapshotDifference(
            from: changes[index...].reversed().reduce(newest) { try $0.applying($1.difference.inverse) }, to: newest)
    }

    /// Returns the message with a difference; nil if it is too large.
    private func message(_ difference: SnapshotDifference<Section, Item>, from base: Int64) -> Message? {
        if difference.estimatedBytes > Self.maxDifferenceMessage { return nil }
        return Message(
            WatchMethod.Reply(
                epoch: epoch, generation: generation, difference: Wire.Difference(difference, base: base, to: newest)))
    }

    /// Returns the first piece of the newest snapshot. Each subscriber gets its own pieces: shared pieces would have to
    /// stay in memory for later subscribers.
    private func snapshot(rest: inout SnapshotPieces?) -> Message {
        var pieces = SnapshotPieces(of: newest, bytesEach: Self.maxPiece)
        let message = nextPiece(of: &pieces)
        rest = pieces
        return message
    }

    /// Returns the next piece of the newest snapshot. `pieces` must not be at its end.
    func nextPiece(of pieces: inout SnapshotPieces) -> Message {
        let piece = pieces.next() ?? []
        return Message(
            WatchMethod.Reply(epoch: epoch, generation: generation, complete: pieces.isAtEnd, snapshot: piece))
    }

    /// Returns the newest snapshot as one reply; nil if the snapshot is too large.
    func snapshotReply() -> WatchMethod.Reply? {
        let pieces = Wire.pieces(of: newest)
        return pieces.count == 1
            ? WatchMethod.Reply(epoch: epoch, generation: generation, complete: true, snapshot: pieces[0]) : nil
    }
}

extension SnapshotDifference<Section, Item> {
    /// The approximate size as JSON, in bytes.
    fileprivate var estimatedBytes: Int {
        let inserted = items.inserted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(inserted + 100 * count) { $0 + $1.after.estimatedBytes }
    }

    /// The approximate size in memory, in bytes, with the items before and after.
    fileprivate var estimatedMemory: Int {
        let deleted = items.deleted.reduce(0) { $0 + $1.element.estimatedBytes }
        return items.updated.reduce(deleted + estimatedBytes) { $0 + $1.before.estimatedBytes }
    }
}
