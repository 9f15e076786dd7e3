import Synchronization

/// The number of queues that have a shared frame, so that its memory is counted once.
final class FrameHolders: Sendable {
    private let count = Atomic(0)

    /// Returns whether it is the first one.
    func add() -> Bool {
        count.add(1, ordering: .relaxed).oldValue == 0
    }

    /// Returns whether it was the last one.
    func remove() -> Bool {
        count.subtract(1, ordering: .relaxed).newValue == 0
    }
}
