import Glibc
package import JokesCore
import SQLite
import Unix

/// A failure of the store: a code, the attempted operation, and the reason.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Code: String, Hashable, Sendable {
        /// Neither a cached joke nor a favorite has the ID `joke`. Some calls ignore jokes that the filters exclude.
        case noSuchJoke
        /// A cursor belongs to another list.
        case wrongCursor
        case busy
        case full
        case readOnly
        case cannotOpen
        /// A file of the store is not a regular file, or jokesd has no permission to read it.
        case unreadable
        case inputOutput
        case corrupt
        /// The full-text index seems damaged: FTS5 also reports damage if memory is short. An open store checks the
        /// index, and rebuilds a damaged index. A start that finds the damage replaces the whole database.
        case corruptIndex
        /// A newer version of this program wrote the database.
        case newerSchema
        /// The database belongs to another program.
        case foreign
        /// A bug of this program, or a lack of memory.
        case unexpected
    }

    package let code: Code
    /// The attempted operation, worded to follow "cannot", such as `store jokes of dad`.
    package let attempt: String
    package let reason: String
    /// The ID that no joke has, for code `noSuchJoke`.
    package let joke: JokeID?

    package init(_ code: Code, attempt: String, reason: String, joke: JokeID? = nil) {
        (self.code, self.attempt, self.reason, self.joke) = (code, attempt, reason, joke)
    }

    static func noSuchJoke(_ id: JokeID, attempt: String) -> StoreError {
        StoreError(.noSuchJoke, attempt: attempt, reason: "no joke has the ID '\(id)'", joke: id)
    }

    init(_ error: SQLiteError, attempt: String, path: String) {
        let (code, reason): (Code, String) =
            switch error.code {
            case .busy: (.busy, "another process holds the lock of \(path)")
            case .full: (.full, "the disk of \(path) is full")
            case .readOnly: (.readOnly, "\(path) is read-only")
            case .cannotOpen: (.cannotOpen, "cannot open \(path): \(error.message)")
            case .inputOutput: (.inputOutput, "cannot read or write \(path): \(error.message)")
            // All tables are strict, and this program writes only values that it can read.
            case .corrupt, .wrongType: (.corrupt, "\(path) is damaged: \(error.message)")
            case .corruptIndex: (.corruptIndex, "the search index in \(path) is damaged")
            case .newerSchema: (.newerSchema, "a newer jokesd wrote \(path): \(error.message)")
            case .foreign: (.foreign, "\(path) is a database of another program")
            case .badStatement, .constraint, .outOfMemory, .interrupted, .other: (.unexpected, "\(error)")
            }
        let cause = code == .cannotOpen || code == .inputOutput ? Self.cause(of: path) : nil
        self.init(cause?.code ?? code, attempt: attempt, reason: cause?.reason ?? reason)
    }

    /// Returns the cause of a failure to open or create files: a read-only folder or a full disk.
    /// Returns nil for other causes.
    private static func cause(of path: String) -> (code: Code, reason: String)? {
        let folder = parentFolder(of: path)
        var space = statvfs()
        if access(folder, W_OK) != 0 && [EROFS, EACCES].contains(errno) {
            return (.readOnly, "\(folder) is read-only")
        }
        if statvfs(folder, &space) == 0 && space.f_bavail == 0 { return (.full, "the disk of \(folder) is full") }
        return nil
    }

    init(_ error: SystemError, attempt: String) {
        let code: Code =
            switch error.code {
            case ENOSPC, EDQUOT: .full
            case EROFS, EACCES, EPERM: .readOnly
            case EIO: .inputOutput
            default: .cannotOpen
            }
        let reason =
            code == .full
            ? "the disk of \(parentFolder(of: error.subject)) is full"
            : "cannot \(error.operation) \(error.subject): \(error.reason)"
        self.init(code, attempt: attempt, reason: reason)
    }

    package var description: String { "cannot \(attempt): \(reason)" }

    /// The next step for the user; nil if there is none.
    package var hint: String? {
        switch code {
        case .noSuchJoke, .wrongCursor: nil
        case .unexpected: "Try again. If the error persists, report it with the log of jokesd."
        case .busy: "Find the process with fuser -v and this path. Stop it, or wait until it finishes."
        case .full: "Free some disk space; jokesd then stores changes again."
        case .readOnly: "Make the folder and its files writable; jokesd then stores changes again."
        case .cannotOpen: "Check that the folder exists and that jokesd can use its files."
        case .unreadable:
            "Move the file away or let the user of jokesd read it, or use another folder: jokesd --state-dir DIR"
        case .inputOutput: "Check the disk and the kernel log (dmesg). If the file stays unreadable, move it away."
        case .corrupt: "jokesd makes a new database with the favorites. Try again in a moment."
        case .corruptIndex: "jokesd rebuilds the index. Try again."
        case .newerSchema: "Start the newer jokesd, or use another folder: jokesd --state-dir DIR"
        case .foreign: "Move the file away, or use another folder: jokesd --state-dir DIR"
        }
    }

    /// Returns the same error with another attempt, and without `joke`.
    func during(_ attempt: String) -> StoreError { StoreError(code, attempt: attempt, reason: reason) }
}

/// Runs the body, and maps its errors to `StoreError`.
func mappingErrors<Result>(
    _ attempt: @autoclosure () -> String, on path: String, _ body: () throws -> Result
) throws(StoreError) -> Result {
    do {
        return try body()
    } catch let error as StoreError {
        throw error
    } catch let error as SQLiteError {
        throw StoreError(error, attempt: attempt(), path: path)
    } catch let error as SystemError {
        throw StoreError(error, attempt: attempt())
    } catch {
        throw StoreError(.unexpected, attempt: attempt(), reason: "\(error)")
    }
}
