import SQLite
import Synchronization

/// Damage that a reader has found, and the number of the damaged database.
package struct FoundDamage: Error, Sendable {
    package let error: StoreError
    let database: Int
}

/// Tells readers on other threads how to open the database, and when to open it again.
final class StoreSharing: Sendable {
    struct State: Hashable {
        var access: Connection.Access
        /// Incremented when the store opens the file again.
        var opening = 0
        /// Incremented when another database is at the path.
        var database = 0

        /// Whether nothing can be written, so that the file is read without locks.
        var isFixed: Bool { access != .reading }
    }

    private let shared: Mutex<State>

    init(_ access: Connection.Access) {
        shared = Mutex(State(access: access))
    }

    var state: State {
        shared.withLock { $0 }
    }

    /// Records that the store has opened the file again, for writing.
    func renew(isOther: Bool) {
        shared.withLock { state in
            state.access = .reading
            state.opening += 1
            if isOther { state.database += 1 }
        }
    }
}
