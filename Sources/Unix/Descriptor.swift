import CLinux
import Glibc

/// Owns a file descriptor, and closes it when freed.
package struct Descriptor: ~Copyable {
    package let rawValue: Int32

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: Int32) { self.rawValue = rawValue }

    deinit {
        // Linux frees the number even if close(2) fails. Another attempt could close another file.
        _ = Glibc.close(rawValue)
    }

    /// Returns the descriptor, which the caller must close.
    package consuming func release() -> Int32 {
        let raw = rawValue
        discard self
        return raw
    }
}

/// Creates a pipe that child processes do not inherit. The caller must close both ends.
package func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    // In one call, because another thread could start a child process between two calls.
    try retrying("create a pipe") { linux_pipe2(&ends, O_CLOEXEC) }
    return (ends[0], ends[1])
}
