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
    /// - Returns: True if the check was complete, false if it was stopped.
    /// - Throws: `StoreError` if the database is damaged, or cannot be read.
    package func run(while shouldContinue: @escaping () -> Bool) throws(StoreError) -> Bool {
        try mappingErrors("check the database", on: path) {
            let connection = try Connection(
                path: path, access: .reading, pageCacheKibibytes: 256, tokenizer: Schema.tokenizer)
            do {
                return try connection.check(while: shouldContinue)
            } catch let error as SQLiteError where error.code == .corrupt {
                // SQLite 3.44 and later also check the full-text index, which can be rebuilt.
                let isInIndex = error.message.contains("FTS5") || error.message.contains("shown_words")
                throw isInIndex ? SQLiteError(.corruptIndex, message: error.message, subject: path) : error
            }
        }
    }

    /// Returns a report for `JokeStore.report` if an error of the check is damage; nil otherwise.
    package func damage(_ error: StoreError) -> DamageReport? {
        [.corrupt, .corruptIndex].contains(error.code)
            ? DamageReport(error: error, databaseNumber: databaseNumber) : nil
    }
}
