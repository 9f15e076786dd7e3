import Glibc
import Unix

/// A file to which 300 bytes at a time are appended and synced: the minimum time of a disk for a favorite.
package struct AppendedFile: ~Copyable {
    private let descriptor: Int32
    private let bytes = [UInt8](repeating: 7, count: 300)

    package init(_ path: String) throws {
        descriptor = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    }

    deinit {
        close(descriptor)
    }

    /// Appends the bytes and waits until they are on disk.
    package func append() throws {
        _ = try retrying("write") { write(descriptor, bytes, bytes.count) }
        _ = try retrying("fdatasync") { fdatasync(descriptor) }
    }
}
