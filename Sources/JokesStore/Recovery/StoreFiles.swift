import Glibc
import JokesCore
import SQLite
import Unix

/// The names of a database's files in the state folder.
struct StoreFiles: Hashable, Sendable {
    /// The WAL and its index, which SQLite makes beside a database.
    static let companions = ["-wal", "-shm"]

    /// The prefix of the names of damaged databases.
    static let damagedPrefix = "jokes-damaged-"

    /// The prefix of the names of databases of another program or an unreleased version.
    static let foreignPrefix = "jokes-foreign-"

    let folder: String
    let name: String

    init(folder: String, name: String = Schema.fileName) {
        self.folder = folder
        self.name = name
    }

    var database: String { "\(folder)/\(name)" }
    var log: String { "\(database)-wal" }
    /// A database that is being made. It is renamed when it is complete.
    var making: StoreFiles { StoreFiles(folder: folder, name: "\(name).new") }
    /// The journal of favorites and hidden marks.
    var journal: String { "\(folder)/\(Journal.fileName)" }

    /// An unused name for a journal that is damaged, or not ours.
    func journalAside(at now: Timestamp, _ word: String) throws(SystemError) -> String {
        var path = "\(folder)/favorites-\(word)-\(dateInName(now)).jsonl"
        while exists(path) { path += "~" }
        return path
    }

    /// An unused name for a database that is damaged, or not ours.
    func aside(at now: Timestamp, prefix: String = damagedPrefix) throws -> StoreFiles {
        for number in 1... {
            let suffix = number == 1 ? "" : "-\(number)"
            let place = StoreFiles(folder: folder, name: "\(prefix)\(dateInName(now))\(suffix).sqlite")
            if try !place.existsInPart { return place }
        }
        preconditionFailure("there is always another number")
    }

    private var existsInPart: Bool {
        get throws {
            for companion in [""] + Self.companions where try size(companion) != nil { return true }
            return false
        }
    }

    /// The size of the database or one of its companions in bytes; nil if it is missing.
    func size(_ companion: String = "") throws(SystemError) -> Int? {
        var status = stat()
        do throws(SystemError) {
            try retrying("inspect", database + companion) { lstat(database + companion, &status) }
            return Int(status.st_size)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Checks the database and its companions before SQLite opens them: it would wait for the writer of a FIFO.
    ///
    /// - Throws: `StoreError` with code `unreadable`.
    func checkReadable() throws(StoreError) {
        for file in ["", "-wal", "-shm", "-journal"].map({ database + $0 }) + [journal] {
            do throws(SystemError) {
                try checkRegularFile(file)
            } catch {
                throw StoreError(.unreadable, attempt: "open the database", reason: error.description)
            }
        }
    }

    /// Removes all files of a database that is being made.
    func remove() throws(SystemError) {
        for companion in [""] + Self.companions + ["-journal"] {
            if unlink(database + companion) != 0 && errno != ENOENT {
                throw SystemError("remove", database + companion)
            }
        }
    }
}

/// `2025-01-31T12-00-00Z`: no colon, which some tools take for another machine's name.
private func dateInName(_ time: Timestamp) -> String {
    time.description.prefix(19).replacing(":", with: "-") + "Z"
}
