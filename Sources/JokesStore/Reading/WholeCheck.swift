import SQLite

/// A check of the whole database for damage, on a connection of its own. The caller blocks.
package struct WholeCheck: Sendable {
    private let path: String
    private let database: Int

    /// Returns nil if the database is read without locks: it cannot be opened a second time then.
    package init?(of store: JokeStore) {
        if store.sharing.state.isFixed { return nil }
        path = store.path
        database = store.sharing.state.database
    }

    /// Reads every page. O(n), at the speed of memory or of the disk. Writers do not wait.
    ///
    /// - Parameter goesOn: Called often; if it returns false, the check stops.
    /// - Returns: Whether the check was complete, or the damage.
    /// - Throws: `StoreError` if the database cannot be read.
    package func run(while goesOn: @escaping () -> Bool) throws(StoreError) -> Result<Bool, FoundDamage> {
        do {
            return .success(try isSound(while: goesOn))
        } catch {
            guard [.corrupt, .corruptIndex].contains(error.code) else { throw error }
            return .failure(FoundDamage(error: error, database: database))
        }
    }

    private func isSound(while goesOn: @escaping () -> Bool) throws(StoreError) -> Bool {
        try attempting("check the database", on: path) {
            let connection = try Connection(path: path, .init(access: .reading, pageCacheKibibytes: 256))
            switch try connection.check(while: goesOn) {
            case .sound: return true
            case .stopped: return false
            case .faulty(let words):
                // SQLite 3.44 and later also check the full-text index, which can be rebuilt.
                let isOfIndex = words.contains("FTS5") || words.contains("shown_words")
                throw SQLiteError(isOfIndex ? .corruptIndex : .corrupt, message: words, subject: path)
            }
        }
    }
}
