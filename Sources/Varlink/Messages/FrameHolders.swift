import Synchronization

/// How many queues hold a frame that was encoded once for many, so that its memory is counted once, and as long as anybody
/// holds it.
final class FrameHolders: Sendable {
    private let count = Atomic(0)

    /// Whether it is the first.
    func add() -> Bool {
        count.add(1, ordering: .relaxed).oldValue == 0
    }

    /// Whether it was the last.
    func remove() -> Bool {
        count.subtract(1, ordering: .relaxed).newValue == 0
    }
}
