import Glibc

/// Where SQLite has its temporary files, for the words of what goes wrong with them.
///
/// The rule is SQLite's: https://www.sqlite.org/tempfiles.html#temporary_file_storage_locations
enum TemporaryFiles {
    private static let variables = ["SQLITE_TMPDIR", "TMPDIR"]
    private static let folders = ["/var/tmp", "/usr/tmp", "/tmp"]

    /// Stands for a file, which has no name that anybody could know.
    static var anyPath: String {
        let named = variables.compactMap { name in getenv(name).map { String(cString: $0) } }
        let folder = (named + folders).first { access($0, W_OK | X_OK) == 0 } ?? "."
        return "\(folder)/import"
    }
}
