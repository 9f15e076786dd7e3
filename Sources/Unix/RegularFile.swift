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

        package var description: String { "\(size)-\(inode)-\(modified[0]).\(modified[1])" }
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
        let status = try fileStatus(ofOpen: opened.rawValue, path)
        try status.requireRegularFile(for: "read", path)
        self.path = path
        version = Version(status)
        descriptor = opened
    }

    /// Returns the bytes from an offset; fewer than `count` only at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try contents(of: descriptor.rawValue, path, at: offset, count: count)
    }
}

/// Returns the bytes of an open file from an offset; fewer than `count` only at the end of the file. Errors have the
/// path.
package func contents(of file: Int32, _ path: String, at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
        let read = try retrying("read", path) {
            bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress! + filled, count - filled, off_t(offset + filled))
            }
        }
        if read == 0 { break }
        filled += read
    }
    bytes.removeLast(count - filled)
    return bytes
}

/// Returns all bytes of a file or pipe.
///
/// - Throws: `SystemError`, with `EFBIG` if there are more than `limit` bytes.
package func contentsOfFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) })
    return try contents(of: file.rawValue, path, limit: limit)
}

/// Returns all bytes of a descriptor. Errors have the subject.
///
/// - Throws: `SystemError`, with `EFBIG` if there are more than `limit` bytes.
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
