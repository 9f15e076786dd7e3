import Glibc

/// The folder that holds the path's last part: `/` and `.` where the path has no other.
package func parentFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes the folder and those above it that are missing.
///
/// The mode is that of the folder itself, whatever the umask; those made above it get 0755 less the umask. A folder
/// that is there already keeps its mode.
package func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
    if try makeMissing(path, mode: mode) {
        try retrying("set the mode of", path) { chmod(path, mode) }
    }
}

/// True where the folder was made, false where it was there.
private func makeMissing(_ path: String, mode: UInt32) throws(SystemError) -> Bool {
    if mkdir(path, mode) == 0 { return true }
    var code = errno
    if code == ENOENT && parentFolder(of: path) != path {
        _ = try makeMissing(parentFolder(of: path), mode: 0o755)
        // Once only: a parent that is there and lets nothing be made in it says ENOENT too, as /proc does.
        if mkdir(path, mode) == 0 { return true }
        // EEXIST here: another process has created the folder in the meantime.
        code = errno
    }
    guard code == EEXIST else { throw SystemError("create folder", path, code: code) }
    var status = stat()
    try retrying("inspect", path) { stat(path, &status) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("create folder", path, code: ENOTDIR) }
    return false
}

/// The names in a folder in the order of their bytes, without `.` and `..`.
///
/// - Throws: `SystemError`; with `ENOTDIR` where the path is no folder.
package func namesInFolder(_ path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError("list", path) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
        errno = 0
        guard let entry = readdir(stream) else {
            if errno != 0 { throw SystemError("list", path) }
            return names.filter { $0 != "." && $0 != ".." }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        // The name is a C array that Swift imports as a tuple, ended by a zero byte.
        names.append(
            withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
}

/// Sees to it that the names in a folder are on disk: what was made, renamed or removed there stays so.
package func syncFolder(_ path: String) throws(SystemError) {
    let folder = Descriptor(
        owning: try retrying("open folder", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    try retrying("sync folder", path) { fsync(folder.rawValue) }
}
