import Diffable
import JokesCore
import JokesProtocol
import Varlink

/// The newest snapshot of a view, the messages with the last differences that led to it, and the pieces of the snapshot.
///
/// A subscriber gets the differences since its generation, one after another. If its generation is no longer in the
/// history, it gets the snapshot.
struct ViewHistory {
    /// The maximum number of differences.
    static let maxDifferences = 32
    /// The maximum size of all differences but the last one, in bytes.
    static let maxBytes = 128 << 10
    /// The maximum size of a difference message, in bytes. Instead of a larger message, the snapshot is sent in pieces.
    static let maxDifferenceMessage = 512 << 10
    /// The approximate maximum size of a piece, in bytes. A low value saves memory if many large views are sent
    /// together.
    static let maxPiece = 128 << 10

    /// A message with the difference from the generation `base` to `generation`. All subscribers share it.
    struct Change {
        let base: Int64
        let generation: Int64
        let message: EncodedReply
    }

    private let epoch: String
    private(set) var newest: JokeSnapshot
    private(set) var generation: Int64
    /// The changes, the oldest first. Each leads to the base of the next change, and the last one to the newest
    /// snapshot.
    private(set) var changes: [Change] = []

    init(epoch: String, snapshot: JokeSnapshot, generation: Int64) {
        self.epoch = epoch
        self.generation = generation
        newest = snapshot
    }

    /// The size of the differences, in bytes.
    var bytes: Int { changes.reduce(0) { $0 + $1.message.byteCount } }

    /// Adds a difference to a new snapshot, and removes the oldest changes beyond the limits.
    mutating func advance(
        by difference: SnapshotDifference<Section, Item>, to snapshot: JokeSnapshot, generation: Int64
    ) {
        let base = self.generation
        (newest, self.generation) = (snapshot, generation)
        // The encoding of ten thousand changes would delay other clients, and nobody would get it.
        guard difference.estimatedBytes <= Self.maxDifferenceMessage,
            let message = try? message(difference, from: base)
        else {
            changes = []
            return
        }
        changes.append(Change(base: base, generation: generation, message: message))
        while changes.count > Self.maxDifferences || bytes - message.byteCount > Self.maxBytes { changes.removeFirst() }
    }

    // MARK: Messages

    /// Returns the change that follows a generation; nil if it is unknown or the newest one.
    func change(after generation: Int64?) -> Change? { changes.first { $0.base == generation } }

    /// The message for a subscriber that returns with the newest snapshot: an empty difference.
    var unchanged: EncodedReply { get throws(VarlinkError) { try message(SnapshotDifference(), from: generation) } }

    private func message(
        _ difference: SnapshotDifference<Section, Item>, from base: Int64
    ) throws(VarlinkError) -> EncodedReply {
        let difference = Wire.Difference(difference, base: base, to: newest)
        return try EncodedReply(
            WatchMethod.Reply(epoch: epoch, generation: generation, difference: difference), continues: true)
    }

    /// Returns the first piece of the newest snapshot, and the other pieces. Each subscriber gets its own pieces: shared
    /// pieces would have to stay in memory for later subscribers.
    func firstPiece() throws(VarlinkError) -> (message: EncodedReply, rest: SnapshotPieces) {
        var pieces = SnapshotPieces(of: newest, bytesEach: Self.maxPiece)
        return (try nextPiece(of: &pieces), pieces)
    }

    /// Returns the next piece of the newest snapshot. `pieces` must not be at its end.
    func nextPiece(of pieces: inout SnapshotPieces) throws(VarlinkError) -> EncodedReply {
        let piece = pieces.next() ?? []
        return try EncodedReply(
            WatchMethod.Reply(epoch: epoch, generation: generation, complete: pieces.isAtEnd, snapshot: piece),
            continues: true)
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
}
