import CLinux
package import Glibc

/// Returns the status of the file that a path leads to.
func fileStatus(at path: String) throws(SystemError) -> stat {
    var status = stat()
    try retrying("inspect", path) { stat(path, &status) }
    return status
}

/// Returns the status of an open file. Errors have the path.
package func fileStatus(ofOpen file: Int32, _ path: String) throws(SystemError) -> stat {
    var status = stat()
    try retrying("inspect", path) { fstat(file, &status) }
    return status
}

extension stat {
    /// The type of the file: `S_IFREG`, `S_IFDIR` and others.
    var type: mode_t { st_mode & S_IFMT }

    /// Throws the error of an operation on a file that is not regular: `EISDIR` for a folder, otherwise
    /// `SystemError.notRegularFile`.
    package func requireRegularFile(for operation: String, _ path: String) throws(SystemError) {
        guard type != S_IFREG else { return }
        throw SystemError(operation, path, code: type == S_IFDIR ? EISDIR : SystemError.notRegularFile)
    }
}

/// Returns why this process may not write to a path; nil if it may.
package func reasonAgainstWriting(to path: String) -> String? {
    access(path, W_OK) == 0 ? nil : SystemError("write to", path).reason
}

/// Returns whether anything is at the path.
package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Checks that a path has nothing or a readable regular file. Opens nothing.
///
/// - Throws: `SystemError`, with `SystemError.notRegularFile` for a FIFO or a device and `EISDIR` for a folder.
package func checkRegularFile(_ path: String) throws(SystemError) {
    do throws(SystemError) {
        try fileStatus(at: path).requireRegularFile(for: "read", path)
        try retrying("read", path) { access(path, R_OK) }
    } catch {
        // A dangling link fails when it is opened.
        if error.code != ENOENT { throw error }
    }
}

/// Returns whether a path is a FIFO in a folder, which cannot be opened before it has a writer. The pipe of a shell's
/// `<(…)` has no folder, and is open already.
package func isNamedPipe(_ path: String) -> Bool {
    var system = statfs()
    let pipes = 0x5049_5045
    return (try? fileStatus(at: path))?.type == S_IFIFO && statfs(path, &system) == 0 && Int(system.f_type) != pipes
}

/// Returns whether a path leads to something other than a regular file, such as a device, a pipe or a folder.
package func isSpecialFile(_ path: String) -> Bool {
    (try? fileStatus(at: path)).map { $0.type != S_IFREG } ?? false
}

/// The device and inode of a file. No other file has them while this one is open.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    private init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    /// The identity of the file that a path leads to; nil if there is none.
    package init?(at path: String) throws(SystemError) {
        do throws(SystemError) {
            self.init(try fileStatus(at: path))
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return nil
        }
    }

    /// The identity of an open file.
    package init(of file: borrowing Descriptor, _ path: String) throws(SystemError) {
        self.init(try fileStatus(ofOpen: file.rawValue, path))
    }
}

/// The free space of a file system for processes without privileges.
package struct FileSystemSpace: Hashable, Sendable {
    package let freeBytes: Int
    /// The number of files that can be created; nil if the file system does not count them.
    package let freeFiles: Int?

    package init(of path: String) throws(SystemError) {
        var space = statvfs()
        try retrying("read the free disk space of", path) { statvfs(path, &space) }
        let (bytes, overflow) = Int(clamping: space.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: space.f_frsize))
        freeBytes = overflow ? .max : bytes
        freeFiles = space.f_files == 0 ? nil : Int(clamping: space.f_favail)
    }
}
