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

/// The device and inode of a file. No other file has them while this one is open.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    private init(_ facts: stat) {
        device = UInt(facts.st_dev)
        inode = UInt(facts.st_ino)
    }

    /// The identity of the file that a path leads to; nil if there is none.
    package init?(at path: String) throws(SystemError) {
        var facts = stat()
        do throws(SystemError) {
            try retrying("inspect", path) { stat(path, &facts) }
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return nil
        }
        self.init(facts)
    }

    /// The identity of an open file.
    package init(of file: borrowing Descriptor, _ path: String) throws(SystemError) {
        let raw = file.rawValue
        var facts = stat()
        try retrying("inspect", path) { fstat(raw, &facts) }
        self.init(facts)
    }
}
