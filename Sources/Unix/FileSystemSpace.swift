import Glibc

/// The free space of a file system for processes without privileges.
package struct FileSystemSpace: Hashable, Sendable {
    package var freeBytes: Int
    /// The number of files that can be created; nil if the file system does not count them.
    package var freeFiles: Int?

    package init(freeBytes: Int, freeFiles: Int? = nil) {
        self.freeBytes = freeBytes
        self.freeFiles = freeFiles
    }

    package init(of path: String) throws(SystemError) {
        var space = statvfs()
        try retrying("read the free disk space of", path) { statvfs(path, &space) }
        let (bytes, overflow) = Int(clamping: space.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: space.f_frsize))
        freeBytes = overflow ? .max : bytes
        freeFiles = space.f_files == 0 ? nil : Int(clamping: space.f_favail)
    }
}
