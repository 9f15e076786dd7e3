import JokesCore

extension Diagnostic {
    /// The usual maximum size of the WAL: SQLite's default, in pages of 4 KiB.
    private static let usualLogBytes = 1000 * 4096

    /// The number of SQLite's files with those of a recovery.
    private static let filesNeeded = 8

    /// Returns the diagnostic of the disk of the state folder. A free number is nil if it is unknown;
    /// `reasonAgainstWriting` is the text of the kernel's error.
    static func disk(
        of folder: String, freeBytes: Int?, freeFiles: Int?, databaseBytes: Int, walBytes: Int,
        reasonAgainstWriting: String?
    ) -> Diagnostic {
        if let reasonAgainstWriting {
            return Diagnostic(
                .space, .failed, "cannot write to \(folder): \(reasonAgainstWriting)",
                advice: "Make the folder and its files writable for jokesd; jokesd then stores changes again.")
        }
        guard let freeBytes else {
            return Diagnostic(.space, .warning, "cannot read the free disk space of \(folder)")
        }
        if let freeFiles, freeFiles < filesNeeded {
            return Diagnostic(
                .space, freeFiles == 0 ? .failed : .warning,
                "the disk of \(folder) has room for only \(counted(freeFiles, "more file"))",
                advice: "Remove files from the disk: a recovery needs room for \(filesNeeded).")
        }
        let free = "\(bytesInWords(freeBytes)) free on the disk of \(folder)"
        // The WAL must be able to grow to its usual size; otherwise changes may be refused.
        if freeBytes < max(1, usualLogBytes - walBytes) {
            return Diagnostic(
                .space, .failed, free,
                advice: "Free some disk space: a change may need \(bytesInWords(usualLogBytes)).")
        }
        // A changed filter writes the whole database to the WAL, and a recovery writes a new database.
        let comfortableBytes = databaseBytes + 2 * usualLogBytes
        if freeBytes < comfortableBytes {
            return Diagnostic(
                .space, .warning, free,
                advice: "Free some disk space: a new filter or a recovery needs \(bytesInWords(comfortableBytes)).")
        }
        return Diagnostic(.space, .ok, free)
    }
}

/// Returns a size in words: `512 bytes`, `4.2 MB`. Units are powers of 1,000, as in the configuration.
func bytesInWords(_ bytes: Int) -> String {
    let units: [(name: String, factor: Int)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
    ]
    guard let unit = units.first(where: { bytes >= $0.factor }) else { return "\(bytes) bytes" }
    let tenths = bytes / (unit.factor / 10)
    return tenths >= 100 ? "\(tenths / 10) \(unit.name)" : "\(tenths / 10).\(tenths % 10) \(unit.name)"
}
