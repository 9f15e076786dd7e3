package import JokesCore
import SQLite
import Unix

/// Reads jokes, favorites and the state of sources on the caller's thread, while the store writes.
///
/// Each call sees all earlier commits, and does not wait for writes of the store. If another process locks the whole
/// database, a call waits for at most 0.25 s. Confined to one owner.
///
/// A reader never writes.
package final class JokeReader {
    private(set) var connection: Connection
    /// Called if a read finds damage, which the owner passes to `JokeStore.report`.
    package var onDamage: ((DamageReport) -> Void)?
    let path: String
    private let sharing: StoreSharing
    /// The state of the store when the connection was opened.
    private var openedState: StoreSharing.State
    /// Earlier immutable connections, which stay open. The VFS `unix-none` ignores the locks of other connections. Its
    /// close(2) would release all POSIX locks of the process on the file.
    private var keptOpen: [Connection] = []

    /// Opens the database of the store for reading. Later reads open the database again if the store has reopened it.
    ///
    /// The store must outlive the reader, because only a connection that can write removes the WAL when it closes
    /// last. If a WAL exists, the next start checks the whole journal.
    package init(of store: JokeStore) throws(StoreError) {
        path = store.path
        sharing = store.sharing
        openedState = sharing.state
        connection = try Self.connect(path, openedState)
    }

    private static func connect(_ path: String, _ state: StoreSharing.State) throws(StoreError) -> Connection {
        try mappingErrors("open the database for reading", on: path) {
            try Connection(
                path: path, access: state.access, busyTimeout: .milliseconds(250), pageCacheKibibytes: 512,
                tokenizer: Schema.tokenizer)
        }
    }

    /// Runs the body in a read transaction, on an up-to-date connection.
    func reading<Result>(
        _ attempt: @autoclosure () -> String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        let now = sharing.state
        if now != openedState { try open(now) }
        do {
            return try mappingErrors(attempt(), on: path) { try connection.read(body) }
        } catch {
            if [.corrupt, .corruptIndex].contains(error.code) { onDamage?(damage(error)) }
            throw error
        }
    }

    /// Returns a report of the damage that caused an error of this reader.
    package func damage(_ error: StoreError) -> DamageReport {
        DamageReport(error: error, databaseNumber: openedState.databaseNumber)
    }

    /// Opens the database again.
    private func open(_ state: StoreSharing.State) throws(StoreError) {
        let reopened = try Self.connect(path, state)
        if openedState.isImmutable { keptOpen.append(connection) }
        (connection, openedState) = (reopened, state)
    }

    /// Returns the joke with the ID, or the favorite if the joke is not cached. Also returns hidden jokes.
    ///
    /// Returns nil if there is neither, or if the filters exclude it, unless `includingExcluded` is true. `lastSeen` may be
    /// up to a day too early if the source has no full syncs.
    package func joke(_ id: JokeID, includingExcluded: Bool = false) throws(StoreError) -> StoredJoke? {
        try reading("look up \(id)") {
            guard let (group, joke) = try cachedJoke(id, includingExcluded) ?? favoriteJoke(id, includingExcluded)
            else { return nil }
            var found = joke
            (found.isHidden, found.serveCount, found.lastServed) =
                try connection.prepare(
                    """
                    SELECT EXISTS (SELECT 1 FROM hidden WHERE fingerprint = ?1), g.serve_count, g.served_at
                    FROM (SELECT 1) LEFT JOIN groups g ON g.key = ?2
                    """
                ).first(joke.fingerprint, group) { row in
                    (try row.read(0), try row.read(1, as: Int?.self) ?? 0, try row.read(2))
                } ?? (false, 0, nil)
            found.duplicates = try connection.prepare(
                "SELECT id FROM jokes WHERE joke_group = ? AND id <> ? AND admitted = 1 ORDER BY key"
            ).map(group, id) { row in try row.read(0) }
            return found
        }
    }

    private func cachedJoke(_ id: JokeID, _ includingExcluded: Bool) throws -> (group: Int64?, StoredJoke)? {
        try connection.prepare(
            """
            SELECT \(Joke.columns), g.fingerprint, j.missing_since, j.joke_group, CASE
                WHEN j.missing_since IS NULL THEN max(j.last_seen, ifnull(s.full_sync_at, j.last_seen))
                ELSE j.last_seen END
            FROM jokes j JOIN groups g ON g.key = j.joke_group JOIN sources s ON s.key = j.source
            WHERE j.id = ? AND (j.admitted = 1 OR ?)
            """
        ).first(id, includingExcluded) { row in
            let extraColumn = Joke.columnCount
            let joke = StoredJoke(
                joke: try Joke(row: row), fingerprint: try row.read(extraColumn),
                lastSeen: try row.read(extraColumn + 3), missingSince: try row.read(extraColumn + 1), duplicates: [])
            return (try row.read(extraColumn + 2), joke)
        }
    }

    private func favoriteJoke(_ id: JokeID, _ includingExcluded: Bool) throws -> (group: Int64?, StoredJoke)? {
        let found = try connection.prepare(
            "SELECT fingerprint, \(Favorite.columns) FROM favorites WHERE id = ? AND (admitted = 1 OR ?)"
        ).first(id, includingExcluded) { row in (try row.read(0, as: Fingerprint.self), try Favorite(row: row, from: 1))
        }
        guard let (fingerprint, favorite) = found else { return nil }
        let joke = StoredJoke(
            joke: Joke(id: id, content: favorite.content, isFavorite: true, firstSeen: favorite.firstSeen),
            fingerprint: fingerprint, lastSeen: favorite.favoritedAt, missingSince: nil, duplicates: [])
        return (try connection.group(of: fingerprint), joke)
    }

    /// Returns true if a joke or a favorite has exactly this ID, even if the filters exclude it.
    package func has(_ id: JokeID) throws(StoreError) -> Bool {
        try reading("look up \(id)") { try connection.fingerprint(of: id) != nil }
    }

    /// Returns the first `limit` IDs with the prefix, of jokes and favorites that pass the filters, in order.
    package func ids(withPrefix prefix: String, limit: Int) throws(StoreError) -> [JokeID] {
        try reading("look up \(prefix)") {
            try connection.prepare(
                """
                SELECT id FROM jokes WHERE id >= ?1 AND id < ?2 AND admitted = 1
                UNION SELECT id FROM favorites WHERE id >= ?1 AND id < ?2 AND +admitted = 1
                ORDER BY 1 LIMIT ?3
                """
            ).map(prefix, Self.end(of: prefix), limit) { row in try row.read(0) }
        }
    }

    /// Returns the recoveries that no user has seen yet, the oldest first.
    package func recoveries() throws(StoreError) -> [Recovery] {
        try reading("look up recoveries") { try connection.recoveries }
    }

    /// Returns the sizes and the schema version of the database.
    package func facts() throws(StoreError) -> DatabaseFacts {
        try reading("inspect the database") {
            let files = StoreFiles(folder: parentFolder(of: path))
            return DatabaseFacts(
                path: path, bytes: try files.size() ?? 0, walBytes: try files.size("-wal") ?? 0,
                schemaVersion: try connection.schemaVersion)
        }
    }

    /// Returns the cursor that is stored for a source; nil if there is none.
    package func cursor(of source: String) throws(StoreError) -> String? {
        try reading("look up the cursor of \(source)") { try connection.progress(of: source).position.cursor }
    }

    /// Returns the stored state of each source, by its name.
    package func sourceStates() throws(StoreError) -> [String: SourceState] {
        try reading("look up the sources") {
            let states = try connection.prepare("SELECT name, state FROM sources").map { row in
                (try row.read(0, as: String.self), SourceState(stored: try row.read(1)) ?? SourceState())
            }
            return Dictionary(uniqueKeysWithValues: states)
        }
    }
}

extension Joke {
    /// The columns of a joke `j` in its group `g`.
    static let columns = """
        j.id, j.first_seen, EXISTS (SELECT 1 FROM favorites f WHERE f.fingerprint = g.fingerprint), g.round > 0, \
        \(Schema.contentColumns.prefixed("j"))
        """
    static let columnCount = 4 + Schema.contentColumns.split(separator: ",").count

    /// Reads `columns`, from column 0 of the row.
    init(row: borrowing Row) throws {
        self.init(
            id: try row.read(0), content: try JokeContent(row: row, from: 4), isFavorite: try row.read(2),
            isSeen: try row.read(3), firstSeen: try row.read(1))
    }
}

/// The sizes and the version of a database.
package struct DatabaseFacts: Hashable, Sendable {
    package let path: String
    package let bytes: Int
    /// The size of the WAL.
    package let walBytes: Int
    package let schemaVersion: Int

    package init(path: String, bytes: Int, walBytes: Int, schemaVersion: Int) {
        (self.path, self.bytes, self.walBytes, self.schemaVersion) = (path, bytes, walBytes, schemaVersion)
    }
}
