import CSQLite

extension Connection {
    /// How a check of a database ended.
    package enum CheckResult: Hashable, Sendable {
        case sound
        /// The first thing that is wrong, in SQLite's words.
        case faulty(String)
        /// It was stopped before its end.
        case stopped
    }

    /// Checks a table with its indexes, or all tables, for damage. O(n), at the speed of memory or of the disk.
    ///
    /// - Parameters:
    ///   - table: The table; nil for all.
    ///   - comparesIndexes: Whether each row is also looked up in each index. O(n log n)
    ///   - goesOn: Asked every some ten microseconds; a check that is not to go on is stopped.
    /// - Returns: How it ended.
    /// - Throws: `SQLiteError` if it cannot be checked: a page that cannot be read is not damage.
    package func check(
        _ table: String? = nil, comparesIndexes: Bool = false, while goesOn: @escaping () -> Bool = { true }
    ) throws -> CheckResult {
        final class Question {
            let goesOn: () -> Bool
            init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }
        }
        let question = Question(goesOn)
        sqlite3_progress_handler(
            handle.pointer, 1_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
            }, Unmanaged.passUnretained(question).toOpaque())
        defer {
            sqlite3_progress_handler(handle.pointer, 0, nil, nil)
            // Until here SQLite holds it.
            withExtendedLifetime(question) {}
        }
        do {
            let argument = table.map { "'\($0)'" } ?? "1"
            let pragma = comparesIndexes ? "integrity_check" : "quick_check"
            let first: String? = try prepare("PRAGMA \(pragma)(\(argument))").first { row in try row.read(0) }
            guard let first, first != "ok" else { return .sound }
            try Self.throwIfUnread(first, path)
            return .faulty(first)
        } catch let error as SQLiteError where error.code == .interrupted {
            return .stopped
        } catch let error as SQLiteError where error.code == .corrupt {
            return .faulty(error.message)
        }
    }

    /// SQLite reports pages that it cannot get among its findings.
    private static func throwIfUnread(_ finding: String, _ path: String) throws(SQLiteError) {
        let number = finding.split(separator: "error code=").dropFirst().first
        let code = number.flatMap { Int32($0.prefix { $0.isNumber }) }
        if let code, ![.corrupt, .corruptIndex].contains(SQLiteError.Code(resultCode: code)) {
            throw SQLiteError(resultCode: code, connection: nil, subject: path)
        }
        guard code == nil, finding.contains("failed to get page") else { return }
        throw SQLiteError(.inputOutput, message: finding, subject: path)
    }
}
