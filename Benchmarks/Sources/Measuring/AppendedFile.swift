import Glibc
import Unix

/// A file that grows by a page at a time, each synced: what a disk takes at least.
package struct AppendedFile: ~Copyable {
    private let descriptor: Int32
    private let page = [UInt8](repeating: 7, count: 4096)

    package init(_ path: String) throws {
        descriptor = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    }

    deinit {
        close(descriptor)
    }

    /// Writes a page and waits until it is on the disk.
    package func append() throws {
        _ = try retrying("write") { write(descriptor, page, page.count) }
        _ = try retrying("fdatasync") { fdatasync(descriptor) }
    }
}
