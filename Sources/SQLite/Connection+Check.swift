import CSQLite

extension Connection {
    /// Checks a table with its indexes, or all tables, for damage. O(n), at the speed of memory or of the disk.
    ///
    /// If `comparesIndexes` is true, each row is also looked up in each index: O(n log n). `shouldContinue` is called
    /// every few dozen microseconds, and stops the check by returning false.
    ///
    /// - Returns: False if the check was stopped before its end.
    /// - Throws: `SQLiteError`: `corrupt` with the message of SQLite about the first damage; another code if a page cannot be
    ///   read, which is not damage.
    @discardableResult
    package func check(
        _ table: String? = nil, comparesIndexes: Bool = false, while shouldContinue: @escaping () -> Bool = { true }
    ) throws -> Bool {
        var shouldContinue = shouldContinue
        return try withUnsafeMutablePointer(to: &shouldContinue) { shouldContinue in
            sqlite3_progress_handler(
                handle.pointer, 1_000,
                { context in context!.assumingMemoryBound(to: (() -> Bool).self).pointee() ? 0 : 1 }, shouldContinue)
            defer { sqlite3_progress_handler(handle.pointer, 0, nil, nil) }
            let argument = table.map { "'\($0)'" } ?? "1"
            let pragma = comparesIndexes ? "integrity_check" : "quick_check"
            do {
                let first: String? = try prepare("PRAGMA \(pragma)(\(argument))").first { row in try row.read(0) }
                if let first, first != "ok" { throw failure(table.map { "\($0): \(first)" } ?? first) }
                return true
            } catch let error as SQLiteError where error.code == .interrupted {
                return false
            }
        }
    }

    /// Returns the error for a message of the check, which may be about a page that SQLite cannot read.
    private func failure(_ message: String) -> SQLiteError {
        let number = message.split(separator: "error code=").dropFirst().first
        let code = number.flatMap { Int32($0.prefix { $0.isNumber }) }
        if let code, ![.corrupt, .corruptIndex].contains(SQLiteError.Code(resultCode: code)) {
            return SQLiteError(resultCode: code, connection: nil, subject: path)
        }
        let isUnreadable = code == nil && message.contains("failed to get page")
        return SQLiteError(isUnreadable ? .inputOutput : .corrupt, message: message, subject: path)
    }
}
