import SQLite

/// Looks through a whole database for damage, beside those who use it: on a thread of its own, whose caller blocks.
package struct WholeCheck: Sendable {
    private let path: String
    private let database: Int

    /// Nil where nothing can be written beside the database: then it is read without locks, and cannot be opened once more.
    package init?(of store: JokeStore) {
        if store.sharing.state.isFixed { return nil }
        path = store.path
        database = store.sharing.state.database
    }

    /// Reads every page. O(n), at the speed of memory or of the disk; writers do not wait for it.
    ///
    /// - Parameter goesOn: Asked often; where it says no, the check ends without a result.
    /// - Returns: Whether it was looked through to the end; what is wrong with it where something is.
    /// - Throws: `StoreError` where it cannot be read.
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
                // From SQLite 3.44 on the index of words is looked at, too: that is made anew, and no reason to begin anew.
                let isOfIndex = words.contains("FTS5") || words.contains("shown_words")
                throw SQLiteError(isOfIndex ? .corruptIndex : .corrupt, message: words, subject: path)
            }
        }
    }
}
