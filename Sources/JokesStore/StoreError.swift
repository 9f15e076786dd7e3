import Glibc
package import JokesCore
import SQLite
import Unix

/// What the store could not do: a code to decide by, what was tried, and why not.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. Stable.
    package enum Code: String, Hashable, Sendable {
        /// No cached joke and no favorite has the ID `joke`.
        case noSuchJoke
        /// A cursor goes on with a search for something else.
        case wrongCursor
        /// Another process holds the database's lock; later it may go.
        case busy
        /// The disk is full; it goes once there is room.
        case full
        case readOnly
        case cannotOpen
        /// A file of the database is no regular file, or may not be read.
        case unreadable
        case inputOutput
        case corrupt
        /// The index of words is damaged, or seemed so where memory was short: it is looked at, and made anew.
        case corruptIndex
        /// A newer version of the program wrote the database.
        case newerSchema
        /// The file is a database of another program.
        case foreign
        /// What should not happen: a mistake in this program, or no memory.
        case unexpected
    }

    package let code: Code
    /// What was tried, as it reads after "cannot": `store jokes of dad`.
    package let attempt: String
    /// Why not, in words.
    package let reason: String
    /// The ID that no joke has, for code `noSuchJoke`.
    package let joke: JokeID?

    package init(_ code: Code, attempt: String, reason: String, joke: JokeID? = nil) {
        self.code = code
        self.attempt = attempt
        self.reason = reason
        self.joke = joke
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
            case .corrupt: (.corrupt, "\(path) is damaged: \(error.message)")
            case .corruptIndex: (.corruptIndex, "the search index in \(path) is damaged")
            case .newerSchema: (.newerSchema, "a newer jokesd wrote \(path): \(error.message)")
            case .foreign: (.foreign, "\(path) is a database of another program")
            // All tables are strict, and what is written to them can be read: something else has written there.
            case .wrongType: (.corrupt, "\(path) is damaged: \(error.message)")
            case .badStatement, .constraint, .outOfMemory, .interrupted, .other: (.unexpected, "\(error)")
            }
        let cause = code == .cannotOpen || code == .inputOutput ? Self.cause(of: path) : nil
        self.init(cause?.code ?? code, attempt: attempt, reason: cause?.reason ?? reason)
    }

    /// What SQLite cannot tell from other failures to open, or to make, the files beside a database.
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

    package var description: String {
        "cannot \(attempt): \(reason)"
    }

    /// The next step for a user; nil where there is none.
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
        case .inputOutput:
            "Check the disk and the kernel log (dmesg). If the file stays unreadable, move it away."
        case .corrupt: "jokesd moves the file aside and keeps the favorites that it can read."
        case .corruptIndex: "jokesd rebuilds the index. Try again."
        case .newerSchema: "Start the newer jokesd, or use another folder: jokesd --state-dir DIR"
        case .foreign: "Move the file away, or use another folder: jokesd --state-dir DIR"
        }
    }

    /// The same failure, met again while something else is tried.
    func met(trying attempt: String) -> StoreError {
        StoreError(code, attempt: attempt, reason: reason)
    }
}

/// Runs a piece of the store's work: whatever it throws comes out as a `StoreError`.
func attempting<Result>(
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
