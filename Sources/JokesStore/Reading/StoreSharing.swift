import SQLite
import Synchronization

/// Damage that a reader has found, and the number of the damaged database.
package struct DamageReport: Error, Sendable {
    package let error: StoreError
    let database: Int
}

/// Informs readers on other threads how to open the database, and when to open it again.
final class StoreSharing: Sendable {
    struct State: Hashable {
        fileprivate(set) var access: Connection.Access
        /// Incremented when the store opens the file again.
        fileprivate var opening = 0
        /// Incremented when another database is at the path.
        fileprivate(set) var database = 0

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
            state.opening += 1
            if isNewDatabase { state.database += 1 }
        }
    }
}

/// A check of the whole database for damage, on a connection of its own. The caller blocks.
package struct DatabaseCheck: Sendable {
    private let path: String
    private let database: Int

    /// Returns nil if the database is read without locks: it cannot be opened a second time then.
    package init?(of store: JokeStore) {
        if store.sharing.state.isImmutable { return nil }
        path = store.path
        database = store.sharing.state.database
    }

    /// Reads all pages. O(n), at the speed of memory or of the disk. Writers do not wait.
    ///
    /// `shouldContinue` is called often, and stops the check by returning false.
    ///
    /// - Returns: Whether the check was complete, or the damage.
    /// - Throws: `StoreError` if the database cannot be read.
    package func run(while shouldContinue: @escaping () -> Bool) throws(StoreError) -> Result<Bool, DamageReport> {
        do {
            return try attempting("check the database", on: path) {
                let connection = try Connection(path: path, .init(access: .reading, pageCacheKibibytes: 256))
                switch try connection.check(while: shouldContinue) {
                case .sound: return .success(true)
                case .stopped: return .success(false)
                case .faulty(let words):
                    // SQLite 3.44 and later also check the full-text index, which can be rebuilt.
                    let isOfIndex = words.contains("FTS5") || words.contains("shown_words")
                    throw SQLiteError(isOfIndex ? .corruptIndex : .corrupt, message: words, subject: path)
                }
            }
        } catch {
            guard [.corrupt, .corruptIndex].contains(error.code) else { throw error }
            return .failure(DamageReport(error: error, database: database))
        }
    }
}
