import Glibc
import JokesCore
import SQLite
import Unix

/// The names of a database's files in the state folder.
struct StoreFiles: Hashable, Sendable {
    /// The suffixes of the files that SQLite creates next to a database: the WAL and its index.
    static let companions = ["-wal", "-shm"]
    /// The suffixes of all files of a database. The suffix of the main file is empty.
    static let suffixes = [""] + companions
    /// The prefix of the names of renamed databases that are damaged.
    static let damagedPrefix = "jokes-damaged-"
    /// The prefix of the names of renamed databases of another program or an unreleased version.
    static let foreignPrefix = "jokes-foreign-"

    let folder: String
    var name = Schema.fileName

    var database: String { "\(folder)/\(name)" }
    var journal: String { "\(folder)/\(Journal.fileName)" }

    /// Returns an unused path for a damaged or replaced journal.
    func unusedJournalPath(at now: Timestamp, _ reason: String) -> String {
        var path = "\(folder)/favorites-\(reason)-\(dateInName(now)).jsonl"
        while exists(path) { path += "~" }
        return path
    }

    /// Returns unused names for a damaged or foreign database.
    func unusedFiles(at now: Timestamp, prefix: String) -> StoreFiles {
        var (files, date) = (self, dateInName(now))
        repeat {
            files.name = "\(prefix)\(date).sqlite"
            date += "~"
        } while Self.suffixes.contains { exists(files.database + $0) }
        return files
    }

    /// Returns the size of the database or one of its companions in bytes; nil if the file is missing.
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

    /// Checks that the existing files of the store are regular files, and that this process may read them. SQLite would
    /// block on a FIFO.
    ///
    /// - Throws: `StoreError` with code `unreadable` for the first file that fails the check.
    func checkReadable() throws(StoreError) {
        for file in (Self.suffixes + ["-journal"]).map({ database + $0 }) + [journal] {
            do throws(SystemError) {
                try checkRegularFile(file)
            } catch {
                throw StoreError(.unreadable, attempt: "open the database", reason: error.description)
            }
        }
    }
}

/// Returns `2025-01-31T12-00-00Z`, without colons: some tools read the text before a colon as the name of a machine.
private func dateInName(_ time: Timestamp) -> String {
    time.description.prefix(19).replacing(":", with: "-") + "Z"
}
