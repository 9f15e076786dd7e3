import CLinux
import Glibc

/// The bytes of a whole file, read from start to end; a pipe ends when its writer closes it.
///
/// - Throws: `SystemError`, with `EFBIG` where there are more than `limit` bytes.
package func contentsOfFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) })
    return try contents(of: file.rawValue, path, limit: limit)
}

/// The bytes that a descriptor gives until its end; the subject is what an error names.
///
/// - Throws: `SystemError`, with `EFBIG` where there are more than `limit` bytes.
package func contents(of descriptor: Int32, _ subject: String, limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = try retrying("read", subject) { read(descriptor, &piece, piece.count) }
        if count == 0 { return contents }
        guard contents.count + count <= limit else { throw SystemError("read", subject, code: EFBIG) }
        contents.append(contentsOf: piece.prefix(count))
    }
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
