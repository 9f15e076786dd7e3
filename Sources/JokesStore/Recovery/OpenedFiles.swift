import Glibc
import SQLite
import Unix

/// A database and its log, opened to be looked at without SQLite.
///
/// What the system does not give is no damage: SQLite says of both that a page is wrong, and who took the first for the
/// second would throw away what is there again a moment later.
///
/// To close it drops every lock that this process has on the files: it must live as long as any connection to them that
/// goes on.
final class OpenedFiles {
    private let main: OpenFile
    private let log: OpenFile

    /// - Throws: `SystemError` where one is there and cannot be opened.
    init(_ files: StoreFiles) throws(SystemError) {
        main = try OpenFile(files.database)
        log = try OpenFile(files.log)
    }

    /// Reads every byte. O(n), at the speed of memory or of the disk.
    ///
    /// - Throws: `SystemError` for the first that cannot be read.
    func checkReadable() throws(SystemError) {
        try main.checkReadable()
        try log.checkReadable()
    }

    /// Whether the database's header names a version of the file's format that there is, or nothing; SQLite only reads one
    /// that it takes for a later one. https://www.sqlite.org/fileformat2.html#file_format_version_numbers
    func isOfKnownFormat() throws(SystemError) -> Bool {
        let versions = main.read(18, 2)
        if let failure = main.failure { throw failure }
        return versions.allSatisfy { (1...2).contains($0) }
    }

    /// What the body makes of the pages.
    ///
    /// - Throws: `SystemError` where any that it asked for could not be read.
    func look<Result>(_ body: (DatabaseImage) -> Result) throws(SystemError) -> Result {
        let result = body(
            DatabaseImage(main: main.read, size: main.size, log: log.read, logSize: log.size))
        if let failure = main.failure ?? log.failure { throw failure }
        return result
    }

    /// What the body makes of the pages that are in the log alone.
    ///
    /// - Throws: `SystemError` where any that it asked for could not be read.
    static func lookAtLog<Result>(
        of files: StoreFiles, _ body: (DatabaseImage) -> Result
    ) throws(SystemError) -> Result {
        let log = try OpenFile(files.log)
        let result = body(DatabaseImage(main: { _, _ in [] }, size: 0, log: log.read, logSize: log.size))
        if let failure = log.failure { throw failure }
        return result
    }
}

/// A file whose every byte may be unreadable; empty where there is none.
private final class OpenFile {
    private let file: RegularFile?
    let size: Int
    /// The first thing that the system did not give.
    private(set) var failure: SystemError?

    init(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let file = try RegularFile(opening: path)
            size = file.version.size
            self.file = consume file
        } catch {
            guard error.code == ENOENT else { throw error }
            file = nil
            size = 0
        }
    }

    func read(_ offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        do throws(SystemError) {
            return try bytes(offset, count)
        } catch {
            if failure == nil { failure = error }
            return []
        }
    }

    func checkReadable() throws(SystemError) {
        let piece = 1 << 20
        for offset in stride(from: 0, to: size, by: piece) { _ = try bytes(offset, piece) }
    }

    private func bytes(_ offset: Int, _ count: Int) throws(SystemError) -> [UInt8] {
        try file?.bytes(at: offset, count: count) ?? []
    }
}
