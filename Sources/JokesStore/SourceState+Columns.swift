import JokesCore
import SQLite

extension SourceState {
    static let columns = """
        etag, last_modified, cursor, last_attempt, last_success, failing_since, failure, failure_count, next_attempt, \
        retry_after, rate_limit_reset_at, new_in_last_sync, refused_in_last_sync, request_signature
        """

    /// Reads `columns`, the first of which is the row's column `first`.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            validators: .init(etag: try row.read(first), lastModified: try row.read(first + 1)),
            cursor: try row.read(first + 2), question: try row.read(first + 13), lastAttempt: try row.read(first + 3),
            lastSuccess: try row.read(first + 4),
            failingSince: try row.read(first + 5), failure: try row.read(first + 6),
            failureCount: try row.read(first + 7), nextAttempt: try row.read(first + 8),
            unwelcomeUntil: try row.read(first + 9), allowanceWholeAt: try row.read(first + 10),
            newInLastSync: try row.read(first + 11), refusedInLastSync: try row.read(first + 12))
    }
}

extension Connection {
    /// Stores what is known of a source, within a transaction.
    func save(_ state: SourceState, of source: String) throws {
        let key = try sourceKey(source)
        try prepare(
            """
            UPDATE sources SET (\(SourceState.columns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ?
            """
        ).run(
            state.validators.etag, state.validators.lastModified, state.cursor, state.lastAttempt, state.lastSuccess,
            state.failingSince, state.failure, state.failureCount, state.nextAttempt, state.unwelcomeUntil,
            state.allowanceWholeAt, state.newInLastSync, state.refusedInLastSync, state.question, key)
    }

    /// Stores where a source goes on, within a transaction.
    func save(_ position: SourcePosition, of source: String) throws {
        try prepare("UPDATE sources SET etag = ?, last_modified = ?, cursor = ? WHERE key = ?").run(
            position.validators.etag, position.validators.lastModified, position.cursor, try sourceKey(source))
    }
}
