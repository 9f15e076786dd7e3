import CLinux
import Glibc

/// Why this process may not write there, in the kernel's words; nil where it may.
package func reasonAgainstWriting(to path: String) -> String? {
    access(path, W_OK) == 0 ? nil : SystemError("write to", path).reason
}

/// Bytes of a file; 0 where there is none, or where it cannot be looked at.
package func sizeOfFile(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
}

/// Who may use the file at a path: its group and its mode; nil where it cannot be looked at.
package func groupAndMode(of path: String) -> (gid: UInt32, mode: UInt32)? {
    var facts = stat()
    return stat(path, &facts) == 0 ? (facts.st_gid, facts.st_mode & 0o7777) : nil
}

/// Whether there is something at the path, whatever it is.
package func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
}

/// Checks that a path, if anything is there, leads to a regular file that this process may read. Opens nothing.
///
/// - Throws: `SystemError`, with `SystemError.notRegularFile` for a FIFO or a device and `EISDIR` for a folder.
package func checkRegularFile(_ path: String) throws(SystemError) {
    var facts = stat()
    do throws(SystemError) {
        try retrying("inspect", path) { stat(path, &facts) }
    } catch {
        // A dangling link is the concern of whoever opens it.
        if error.code == ENOENT { return }
        throw error
    }
    let kind = facts.st_mode & S_IFMT
    guard kind == S_IFREG else {
        throw SystemError("read", path, code: kind == S_IFDIR ? EISDIR : SystemError.notRegularFile)
    }
    try retrying("read", path) { access(path, R_OK) }
}

/// Whether a path leads to a FIFO in a folder, which is opened only when it has a writer. The pipe of a shell's `<(…)`
/// has no folder, and is open already.
package func isNamedPipe(_ path: String) -> Bool {
    var (facts, system) = (stat(), statfs())
    let pipes = 0x5049_5045
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
        && statfs(path, &system) == 0 && Int(system.f_type) != pipes
}

/// Whether something stands at the path that is neither a regular file nor a link to one: a device, a pipe, a folder.
package func isSpecialFile(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
}
