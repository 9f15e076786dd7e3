import CLinux
import Glibc

/// Returns why this process may not write to a path; nil if it may.
package func reasonAgainstWriting(to path: String) -> String? {
    access(path, W_OK) == 0 ? nil : SystemError("write to", path).reason
}

/// Returns the size of a file in bytes; 0 if there is none, or if it is not accessible.
package func sizeOfFile(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
}

/// Returns the group and the mode of a file; nil if it is not accessible.
package func groupAndMode(of path: String) -> (gid: UInt32, mode: UInt32)? {
    var facts = stat()
    return stat(path, &facts) == 0 ? (facts.st_gid, facts.st_mode & 0o7777) : nil
}

/// Returns whether anything is at the path.
package func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
}

/// Checks that a path has nothing or a readable regular file. Opens nothing.
///
/// - Throws: `SystemError`, with `SystemError.notRegularFile` for a FIFO or a device and `EISDIR` for a folder.
package func checkRegularFile(_ path: String) throws(SystemError) {
    var facts = stat()
    do throws(SystemError) {
        try retrying("inspect", path) { stat(path, &facts) }
    } catch {
        // A dangling link fails when it is opened.
        if error.code == ENOENT { return }
        throw error
    }
    let kind = facts.st_mode & S_IFMT
    guard kind == S_IFREG else {
        throw SystemError("read", path, code: kind == S_IFDIR ? EISDIR : SystemError.notRegularFile)
    }
    try retrying("read", path) { access(path, R_OK) }
}

/// Returns whether a path is a FIFO in a folder, which cannot be opened before it has a writer. The pipe of a shell's
/// `<(…)` has no folder, and is open already.
package func isNamedPipe(_ path: String) -> Bool {
    var (facts, system) = (stat(), statfs())
    let pipes = 0x5049_5045
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
        && statfs(path, &system) == 0 && Int(system.f_type) != pipes
}

/// Returns whether the path has something other than a regular file or a link to one, such as a device, a pipe or a
/// folder.
package func isSpecialFile(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
}
