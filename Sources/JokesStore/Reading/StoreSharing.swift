import SQLite
import Synchronization

/// The damage that a reader has found.
package struct DamageReport: Error, Sendable {
    package let error: StoreError
    /// The number of the damaged database, which the store may already have replaced.
    let databaseNumber: Int
}

/// The state of the store that is shared with readers on other threads: how to open the database, and when to open the
/// database again.
final class StoreSharing: Sendable {
    struct State: Hashable {
        fileprivate(set) var access: Connection.Access
        /// The number of times that the store has reopened the file.
        fileprivate var openCount = 0
        /// The number of reopenings with a recovery. Each recovery may have changed the keys that readers hold.
        fileprivate(set) var databaseNumber = 0

        /// True if nothing can be written, so that the file is read without locks.
        var isImmutable: Bool { access != .reading }
    }

    private let shared: Mutex<State>

    init(_ access: Connection.Access) { shared = Mutex(State(access: access)) }

    var state: State { shared.withLock { $0 } }

    /// Records that the store has opened the file again, for writing.
    func recordReopening(mayHaveNewKeys: Bool) {
        shared.withLock { state in
            state.access = .reading
            state.openCount += 1
            if mayHaveNewKeys { state.databaseNumber += 1 }
        }
    }
}
