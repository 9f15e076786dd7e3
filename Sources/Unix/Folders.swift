import Glibc

/// Returns the parent folder of a path; `/` or `.` if the path has none.
package func parentFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Creates a folder and its missing parents.
///
/// The mode is without the umask. New parents have mode 0755 minus the umask. An existing folder keeps its mode.
package func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
    if try makeMissing(path, mode: mode) {
        try retrying("set the mode of", path) { chmod(path, mode) }
    }
}

/// Returns whether the folder was created.
private func makeMissing(_ path: String, mode: UInt32) throws(SystemError) -> Bool {
    if mkdir(path, mode) == 0 { return true }
    var code = errno
    if code == ENOENT && parentFolder(of: path) != path {
        _ = try makeMissing(parentFolder(of: path), mode: 0o755)
        // Only once: an existing parent may also return ENOENT, as /proc does.
        if mkdir(path, mode) == 0 { return true }
        // EEXIST: another process has created the folder meanwhile.
        code = errno
    }
    guard code == EEXIST else { throw SystemError("create folder", path, code: code) }
    guard try fileStatus(at: path).type == S_IFDIR else { throw SystemError("create folder", path, code: ENOTDIR) }
    return false
}

/// Creates a folder of mode 0700 with a unique name in `$TMPDIR`, or in /tmp, and returns its path.
package func makeTemporaryFolder(_ name: String) throws(SystemError) -> String {
    let parent = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder in", parent) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Returns the names in a folder in the order of their bytes, without `.` and `..`.
///
/// - Throws: `SystemError`, with `ENOTDIR` if the path is not a folder.
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
        // The name is a C array, which Swift imports as a tuple.
        names.append(
            withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
}

/// Locks a folder with flock(2) until the result is freed, and waits until no other process has locked it. The lock excludes
/// only processes that also lock the folder.
package func lockedFolder(_ path: String) throws(SystemError) -> Descriptor {
    let folder = Descriptor(
        owning: try retrying("open folder", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    try retrying("lock folder", path) { flock(folder.rawValue, LOCK_EX) }
    return folder
}

/// Syncs the names in a folder to disk.
package func syncFolder(_ path: String) throws(SystemError) {
    let folder = Descriptor(
        owning: try retrying("open folder", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    try retrying("sync folder", path) { fsync(folder.rawValue) }
}

/// Returns the path from the root for a path from the working folder. Symbolic links stay.
package func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
}
