import SQLite
import Synchronization

/// Damage that a reader has met: what is wrong, and with which of the databases that a store has had.
package struct FoundDamage: Error, Sendable {
    package let error: StoreError
    let database: Int
}

/// How readers are to open a store's file, which may be another one from one moment to the next.
final class StoreSharing: Sendable {
    struct State: Hashable {
        var access: Connection.Access
        /// Grows when the file is opened another way.
        var opening = 0
        /// Grows when there is another database under the name.
        var database = 0

        /// Nothing can be written, and the file is read without locks.
        var isFixed: Bool { access != .reading }
    }

    private let shared: Mutex<State>

    init(_ access: Connection.Access) {
        shared = Mutex(State(access: access))
    }

    var state: State {
        shared.withLock { $0 }
    }

    /// The store has opened the file anew, for writing.
    func renew(isOther: Bool) {
        shared.withLock { state in
            state.access = .reading
            state.opening += 1
            if isOther { state.database += 1 }
        }
    }
}
