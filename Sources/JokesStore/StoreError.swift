import JokesCore
import SQLite

/// What the store could not do: a code to decide by, what was tried, and why not.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. Stable.
    package enum Code: String, Hashable, Sendable {
        /// Neither a cached joke nor a favorite has the id.
        case noSuchJoke
        /// A cursor goes on with a search for something else.
        case wrongCursor
        /// Another process holds the database's lock; later it may go.
        case busy
        /// The disk is full; it goes once there is room.
        case full
        case readOnly
        case cannotOpen
        case inputOutput
        case corrupt
        /// A newer version of the program wrote the database.
        case newerSchema
        /// The file is a database of another program.
        case foreign
        /// What should not happen: a mistake in this program, or no memory.
        case unexpected
    }

    package let code: Code
    /// What was tried, as it reads after "Cannot": `store jokes of dad`.
    package let attempt: String
    /// Why not, in words.
    package let reason: String

    package init(_ code: Code, attempt: String, reason: String) {
        self.code = code
        self.attempt = attempt
        self.reason = reason
    }

    static func noSuchJoke(_ id: JokeID, attempt: String) -> StoreError {
        StoreError(.noSuchJoke, attempt: attempt, reason: "there is no joke \(id)")
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
            case .newerSchema: (.newerSchema, "a newer jokesd wrote \(path): \(error.message)")
            case .foreign: (.foreign, "\(path) is another program's database")
            case .badStatement, .wrongType, .constraint, .outOfMemory, .other: (.unexpected, "\(error)")
            }
        self.init(code, attempt: attempt, reason: reason)
    }

    package var description: String {
        "Cannot \(attempt): \(reason)."
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
    } catch {
        throw StoreError(.unexpected, attempt: attempt(), reason: "\(error)")
    }
}
