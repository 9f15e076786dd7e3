import CLinux
import Glibc

/// A regular file that is open for reading.
package struct RegularFile: ~Copyable {
    /// The state of a file, for noticing changes without reading it.
    package struct Version: Hashable, Sendable, CustomStringConvertible {
        package let size: Int
        private let inode: UInt
        private let modified: [Int]

        fileprivate init(_ status: stat) {
            size = Int(status.st_size)
            inode = UInt(status.st_ino)
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }

        package var description: String {
            "\(size)-\(inode)-\(modified[0]).\(modified[1])"
        }
    }

    package let path: String
    /// The state when it was opened.
    package let version: Version
    private let descriptor: Descriptor

    /// Opens a regular file without waiting.
    ///
    /// - Throws: `SystemError`, with `EISDIR` for a folder and `SystemError.notRegularFile` for pipes and devices.
    package init(opening path: String) throws(SystemError) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let opened = Descriptor(owning: try retrying("open", path) { open(path, flags) })
        var status = stat()
        try retrying("inspect", path) { fstat(opened.rawValue, &status) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw SystemError("read", path, code: kind == S_IFDIR ? EISDIR : SystemError.notRegularFile)
        }
        self.path = path
        version = Version(status)
        descriptor = opened
    }

    /// Returns the bytes from an offset; fewer than `count` only at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = try retrying("read", path) {
                bytes.withUnsafeMutableBytes {
                    pread(descriptor.rawValue, $0.baseAddress! + filled, count - filled, off_t(offset + filled))
                }
            }
            if read == 0 { break }
            filled += read
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
