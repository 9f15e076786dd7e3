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
