import CLinux
import Glibc

/// The one owner of a file descriptor: closed when its owner goes.
package struct Descriptor: ~Copyable {
    package let rawValue: Int32

    /// Takes ownership of an open descriptor; nobody else may close it.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Linux frees the number whatever close says; a retry could close somebody else's.
        _ = Glibc.close(rawValue)
    }

    /// Hands the descriptor over: the caller closes it.
    package consuming func release() -> Int32 {
        let raw = rawValue
        discard self
        return raw
    }
}

/// Makes a pipe whose ends no child inherits; the caller closes both.
package func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    // Both at once: between two calls another thread could start a child.
    try retrying("create a pipe") { linux_pipe2(&ends, O_CLOEXEC) }
    return (ends[0], ends[1])
}
