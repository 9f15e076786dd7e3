import CLinux
import Glibc

/// Makes a pipe whose ends no child inherits; the caller closes both.
package func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    // Both at once: between two calls another thread could start a child.
    try retrying("create a pipe") { linux_pipe2(&ends, O_CLOEXEC) }
    return (ends[0], ends[1])
}
