import SQLite
import Synchronization

/// Damage that a reader has found, and the number of the damaged database.
package struct DamageReport: Error, Sendable {
    package let error: StoreError
    let databaseNumber: Int
}

/// Informs readers on other threads how to open the database, and when to open it again.
final class StoreSharing: Sendable {
    struct State: Hashable {
        fileprivate(set) var access: Connection.Access
        /// Incremented when the store opens the file again.
        fileprivate var openCount = 0
        /// Incremented when another database is at the path.
        fileprivate(set) var databaseNumber = 0

        /// Whether nothing can be written, so that the file is read without locks.
        var isImmutable: Bool { access != .reading }
    }

    private let shared: Mutex<State>

    init(_ access: Connection.Access) { shared = Mutex(State(access: access)) }

    var state: State { shared.withLock { $0 } }

    /// Records that the store has opened the file again, for writing.
    func renew(isNewDatabase: Bool) {
        shared.withLock { state in
            state.access = .reading
            state.openCount += 1
            if isNewDatabase { state.databaseNumber += 1 }
        }
    }
}
