import Synchronization

/// Which jokes were told and are not yet marked so in the database: what a reader tells must not wait for a write.
///
/// Shared by a store and its readers; callable from any thread.
package final class Tellings: Sendable {
    /// How often, by the group's key.
    private let pending = Mutex<[Int64: Int]>([:])

    init() {}

    /// A state of the database read after this holds what is no longer in it.
    var counts: [Int64: Int] {
        pending.withLock { $0 }
    }

    func add(_ group: Int64) {
        pending.withLock { $0[group, default: 0] += 1 }
    }

    /// Takes away what has been stored.
    func settle(_ stored: [Int64: Int]) {
        pending.withLock { pending in
            for (group, count) in stored {
                let left = (pending[group] ?? 0) - count
                pending[group] = left > 0 ? left : nil
            }
        }
    }
}
