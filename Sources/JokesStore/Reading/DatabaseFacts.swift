import JokesCore
import SQLite
import Unix

/// The sizes and the version of a database.
package struct DatabaseFacts: Hashable, Sendable {
    package var path: String
    package var bytes: Int
    /// The size of the WAL.
    package var logBytes: Int
    package var schemaVersion: Int

    package init(path: String, bytes: Int, logBytes: Int, schemaVersion: Int) {
        self.path = path
        self.bytes = bytes
        self.logBytes = logBytes
        self.schemaVersion = schemaVersion
    }
}

extension JokeReader {
    package func facts() throws(StoreError) -> DatabaseFacts {
        try reading("inspect the database") {
            let files = StoreFiles(folder: parentFolder(of: path), name: Schema.fileName)
            return DatabaseFacts(
                path: path, bytes: try files.size() ?? 0, logBytes: try files.size("-wal") ?? 0,
                schemaVersion: try connection.schemaVersion)
        }
    }
}
