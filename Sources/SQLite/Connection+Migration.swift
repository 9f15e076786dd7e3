extension Connection {
    /// The version of the schema, `PRAGMA user_version`: 0 in a new file.
    package var schemaVersion: Int { get throws { try number("PRAGMA user_version") } }

    /// Runs the scripts that the file lacks, oldest first. Each runs in a transaction that also increments the version.
    ///
    /// - Throws: `SQLiteError` before any change: `.newerSchema`, `.foreign` for a file of another program, or
    ///   `.corrupt`.
    package func migrate(_ scripts: [String], applicationID: Int32) throws {
        try checkOwner(applicationID: applicationID, latestVersion: scripts.count)
        for version in try schemaVersion..<scripts.count {
            try write {
                try execute(scripts[version])
                try execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version + 1);")
            }
        }
    }

    /// Throws for a file of another program or of a newer version.
    private func checkOwner(applicationID: Int32, latestVersion: Int) throws {
        let owner = try number("PRAGMA application_id")
        let tables = try number("SELECT count(*) FROM sqlite_schema")
        guard owner == Int(applicationID) || (owner == 0 && tables == 0) else {
            throw SQLiteError(.foreign, message: "the database belongs to another program", subject: path)
        }
        let version = try schemaVersion
        if version < 0 { throw SQLiteError(.corrupt, message: "unknown schema \(version)", subject: path) }
        guard version <= latestVersion else {
            throw SQLiteError(
                .newerSchema, message: "the database has schema \(version), this program supports \(latestVersion)",
                subject: path)
        }
    }
}
