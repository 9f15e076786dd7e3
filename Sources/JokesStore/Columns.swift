import JokesCore
import SQLite

/// A type that is stored in a column as a value of type `Stored`.
protocol StoredAsColumn: ColumnValue {
    associatedtype Stored: ColumnValue
    var stored: Stored { get }
    init?(stored: Stored)
}

extension StoredAsColumn {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        stored.bind(to: statement, at: index)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard let value = Self(stored: try Stored(column: column, of: statement)) else { throw ColumnTypeMismatch() }
        self = value
    }
}

extension Timestamp: StoredAsColumn {
    var stored: Int64 { microseconds }
    init?(stored: Int64) { self.init(microseconds: stored) }
}

extension Fingerprint: StoredAsColumn {
    var stored: [UInt8] { bytes }
    init?(stored: [UInt8]) { self.init(bytes: stored) }
}

extension JokeID: StoredAsColumn {
    var stored: String { rawValue }
    init?(stored: String) { self.init(rawValue: stored) }
}

extension Safety: StoredAsColumn {
    var stored: String { rawValue }
    init?(stored: String) { self.init(rawValue: stored) }
}

extension JokeFlags: StoredAsColumn {
    var stored: Int { Int(rawValue) }

    init?(stored: Int) {
        guard let bits = UInt8(exactly: stored) else { return nil }
        self.init(rawValue: bits)
    }
}

/// The categories of a joke, stored with a line feed between the names. The normalizer removes line feeds from names.
struct CategoryList: StoredAsColumn {
    let names: [String]

    init(_ names: [String]) { self.names = names }

    var stored: String { names.joined(separator: "\n") }
    init?(stored: String) { names = stored.split(separator: "\n").map(String.init) }
}

extension JokeText {
    /// Creates a text of one part if there is no punchline, otherwise of two parts.
    init(setup: String, punchline: String?) {
        self = punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
    }
}

extension JokeContent {
    /// Reads `Schema.contentColumns`, which begin at column `first` of the row.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            text: JokeText(setup: try row.read(first), punchline: try row.read(first + 1)),
            language: try row.read(first + 2), categories: try row.read(first + 3, as: CategoryList.self).names,
            flags: try row.read(first + 4), safety: try row.read(first + 5), url: try row.read(first + 6),
            author: try row.read(first + 7), upstreamDate: try row.read(first + 8))
    }
}

extension SourceState {
    /// The columns of `sources` that have the state, in the order of `init(row:from:)`.
    static let columns = """
        request_signature, last_attempt, last_success, failing_since, failure, failure_count, next_attempt, \
        retry_after, rate_limit_reset_at, new_in_last_sync, refused_in_last_sync
        """

    /// Reads `columns`, which begin at column `first` of the row.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            requestSignature: try row.read(first), lastAttempt: try row.read(first + 1),
            lastSuccess: try row.read(first + 2), failingSince: try row.read(first + 3),
            failure: try row.read(first + 4), failureCount: try row.read(first + 5),
            nextAttempt: try row.read(first + 6), retryAfter: try row.read(first + 7),
            rateLimitResetAt: try row.read(first + 8), newInLastSync: try row.read(first + 9),
            refusedInLastSync: try row.read(first + 10))
    }
}

extension Connection {
    /// Stores the state of a source, within a transaction.
    func save(_ state: SourceState, of source: String) throws {
        let key = try sourceKey(source)
        try prepare(
            "UPDATE sources SET (\(SourceState.columns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ?"
        ).run(
            state.requestSignature, state.lastAttempt, state.lastSuccess, state.failingSince, state.failure,
            state.failureCount, state.nextAttempt, state.retryAfter, state.rateLimitResetAt, state.newInLastSync,
            state.refusedInLastSync, key)
    }

    /// Returns the position after which the next sync of a source continues, if it belongs to these requests.
    func position(of source: String, requestSignature: String?) throws -> SourcePosition {
        try prepare(
            """
            SELECT etag, last_modified, cursor FROM sources
            WHERE name = ? AND request_signature IS ?
            """
        ).first(source, requestSignature) { row in
            SourcePosition(
                validators: .init(etag: try row.read(0), lastModified: try row.read(1)), cursor: try row.read(2))
        } ?? SourcePosition()
    }

    /// Stores the position after which a sync continues, within a transaction.
    func save(_ position: SourcePosition, of source: String) throws {
        try prepare("UPDATE sources SET etag = ?, last_modified = ?, cursor = ? WHERE key = ?").run(
            position.validators.etag, position.validators.lastModified, position.cursor, try sourceKey(source))
    }

    /// Returns true if jokes of a source were evicted, and the cache has room for them or for 1% of its limit. Returns false
    /// during a full sync, which must continue.
    func hasRoomAgain(for source: String, in limits: CacheLimits) throws -> Bool {
        let evicted =
            try prepare("SELECT evicted FROM sources WHERE name = ? AND is_in_full_sync = 0")
            .first(source) { row in try row.read(0, as: Int.self) } ?? 0
        if evicted == 0 { return false }
        let room = try limits.maxJokes + userDataCount() - storedJokes()
        return room >= min(evicted, max(1, limits.maxJokes / 100))
    }
}
