import CSQLite

extension Connection {
    /// The result of a check for damage.
    package enum CheckResult: Hashable, Sendable {
        case sound
        /// The message of SQLite about the first damage.
        case damaged(String)
        /// The check was stopped before its end.
        case stopped
    }

    /// Checks a table with its indexes, or all tables, for damage. O(n), at the speed of memory or of the disk.
    ///
    /// If `comparesIndexes` is true, each row is also looked up in each index: O(n log n). `shouldContinue` is called
    /// every few dozen microseconds, and stops the check by returning false.
    ///
    /// - Throws: `SQLiteError` if a page cannot be read, which is not damage.
    package func check(
        _ table: String? = nil, comparesIndexes: Bool = false, while shouldContinue: @escaping () -> Bool = { true }
    ) throws -> CheckResult {
        var shouldContinue = shouldContinue
        return try withUnsafeMutablePointer(to: &shouldContinue) { shouldContinue in
            sqlite3_progress_handler(
                handle.pointer, 1_000,
                { context in context!.assumingMemoryBound(to: (() -> Bool).self).pointee() ? 0 : 1 }, shouldContinue)
            defer { sqlite3_progress_handler(handle.pointer, 0, nil, nil) }
            return try check(table, comparesIndexes: comparesIndexes)
        }
    }

    private func check(_ table: String?, comparesIndexes: Bool) throws -> CheckResult {
        do {
            let argument = table.map { "'\($0)'" } ?? "1"
            let pragma = comparesIndexes ? "integrity_check" : "quick_check"
            let first: String? = try prepare("PRAGMA \(pragma)(\(argument))").first { row in try row.read(0) }
            guard let first, first != "ok" else { return .sound }
            try Self.throwIfUnreadable(first, path)
            return .damaged(first)
        } catch let error as SQLiteError where error.code == .interrupted {
            return .stopped
        } catch let error as SQLiteError where error.code == .corrupt {
            return .damaged(error.message)
        }
    }

    /// Throws if a message of the check is about a page that SQLite cannot read.
    private static func throwIfUnreadable(_ message: String, _ path: String) throws(SQLiteError) {
        let number = message.split(separator: "error code=").dropFirst().first
        let code = number.flatMap { Int32($0.prefix { $0.isNumber }) }
        if let code, ![.corrupt, .corruptIndex].contains(SQLiteError.Code(resultCode: code)) {
            throw SQLiteError(resultCode: code, connection: nil, subject: path)
        }
        guard code == nil, message.contains("failed to get page") else { return }
        throw SQLiteError(.inputOutput, message: message, subject: path)
    }
}
