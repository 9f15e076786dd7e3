import Glibc

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
