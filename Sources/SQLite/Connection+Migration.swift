extension Connection {
    /// The version of the schema, `PRAGMA user_version`: 0 in a new file.
    package var schemaVersion: Int {
        get throws { try number("PRAGMA user_version") }
    }

    /// Brings the schema up to date: each script that the file has not had yet runs in a transaction of its own,
    /// together with the version it leads to, which is its place in the list counted from 1.
    ///
    /// - Parameters:
    ///   - scripts: All there have ever been, oldest first. A script that was released is never changed.
    ///   - applicationID: Marks the file as this program's.
    /// - Throws: `SQLiteError`: `.newerSchema` where the file has had more scripts than there are, `.foreign` where it
    ///   is another program's; the file is untouched then. `.corrupt` where the version in the file is none.
    package func migrate(_ scripts: [String], applicationID: Int32) throws {
        try checkOwner(applicationID: applicationID, latestVersion: scripts.count)
        for version in try schemaVersion..<scripts.count {
            try write {
                try execute(scripts[version])
                try execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version + 1);")
            }
        }
    }

    /// Refuses a file that another program, or a newer version of this one, has written.
    private func checkOwner(applicationID: Int32, latestVersion: Int) throws {
        let owner = try number("PRAGMA application_id")
        let tables = try number("SELECT count(*) FROM sqlite_schema")
        guard owner == Int(applicationID) || (owner == 0 && tables == 0) else {
            throw SQLiteError(.foreign, message: "the database belongs to another program", subject: path)
        }
        let version = try schemaVersion
        guard version >= 0 else {
            throw SQLiteError(.corrupt, message: "unknown schema \(version)", subject: path)
        }
        guard version <= latestVersion else {
            throw SQLiteError(
                .newerSchema, message: "the database has schema \(version), this program supports \(latestVersion)",
                subject: path)
        }
    }

    private func number(_ sql: String) throws -> Int {
        try prepare(sql).first { row in try row.read(0) } ?? 0
    }
}
