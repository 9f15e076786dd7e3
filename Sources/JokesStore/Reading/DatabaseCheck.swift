import SQLite

/// A check of the whole database for damage, on a separate connection. `run` blocks its caller.
package struct DatabaseCheck: Sendable {
    private let path: String
    private let databaseNumber: Int

    /// Creates a check; nil if nothing can be written, because a connection with locks cannot be opened then.
    package init?(of store: JokeStore) {
        if store.sharing.state.isImmutable { return nil }
        path = store.path
        databaseNumber = store.sharing.state.databaseNumber
    }

    /// Reads all pages. O(n), at the speed of memory or of the disk. Writers do not wait.
    ///
    /// `shouldContinue` is called often, and stops the check by returning false.
    ///
    /// - Returns: True if the check was complete, false if it was stopped; or the damage.
    /// - Throws: `StoreError` if the database cannot be read.
    package func run(while shouldContinue: @escaping () -> Bool) throws(StoreError) -> Result<Bool, DamageReport> {
        do {
            return try mappingErrors("check the database", on: path) {
                let connection = try Connection(
                    path: path, .init(access: .reading, pageCacheKibibytes: 256), tokenizer: Schema.tokenizer)
                switch try connection.check(while: shouldContinue) {
                case .sound: return .success(true)
                case .stopped: return .success(false)
                case .damaged(let message):
                    // SQLite 3.44 and later also check the full-text index, which can be rebuilt.
                    let isInIndex = message.contains("FTS5") || message.contains("shown_words")
                    throw SQLiteError(isInIndex ? .corruptIndex : .corrupt, message: message, subject: path)
                }
            }
        } catch {
            guard [.corrupt, .corruptIndex].contains(error.code) else { throw error }
            return .failure(DamageReport(error: error, databaseNumber: databaseNumber))
        }
    }
}
