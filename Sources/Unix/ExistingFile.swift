import Glibc

/// The regular file at a path, after symbolic links.
struct ExistingFile {
    /// The path without symbolic links.
    let path: String
    private let owner: UInt32
    private let group: UInt32
    private let mode: UInt32

    /// The file at a path; nil if there is none.
    ///
    /// - Throws: `SystemError`, also for a dangling link; with `EISDIR` or `notRegularFile` if it is not a regular
    ///   file.
    init?(at path: String) throws(SystemError) {
        // The kernel does not follow links of other users in /tmp, but readlink(2) would.
        let opened = open(path, __O_PATH | O_CLOEXEC)
        guard opened >= 0 else {
            let code = errno
            var link = stat()
            if code == ENOENT && lstat(path, &link) != 0 { return nil }
            throw SystemError("follow", path, code: code)
        }
        let file = Descriptor(owning: opened)
        var facts = stat()
        try retrying("inspect", path) { fstat(file.rawValue, &facts) }
        let kind = facts.st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw SystemError("replace", path, code: kind == S_IFDIR ? EISDIR : SystemError.notRegularFile)
        }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = try retrying("follow", path) {
            target.withUnsafeMutableBytes { bytes in
                readlink(
                    "/proc/self/fd/\(file.rawValue)", bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
                    bytes.count)
            }
        }
        guard let text = String(validating: target.prefix(length), as: UTF8.self) else {
            throw SystemError("follow", path, code: EILSEQ)
        }
        self.path = text
        (owner, group, mode) = (facts.st_uid, facts.st_gid, facts.st_mode & 0o7777)
    }

    /// Sets the owner, the group and the mode of an open file to those of this one.
    func passOwnerAndMode(to file: Int32) throws(SystemError) {
        var facts = stat()
        try retrying("inspect the new", path) { fstat(file, &facts) }
        if (facts.st_uid, facts.st_gid) != (owner, group) {
            try retrying("keep the owner and group of", path) { fchown(file, owner, group) }
        }
        // After fchown(2), which clears bits of the mode.
        try retrying("keep the mode of", path) { fchmod(file, mode) }
    }
}
