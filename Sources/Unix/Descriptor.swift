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

/// Descriptor 0.
package let standardInput: Int32 = STDIN_FILENO
/// Descriptor 1. Swift treats `stdout` as shared mutable state.
package let standardOutput: Int32 = STDOUT_FILENO
/// Descriptor 2.
package let standardError: Int32 = STDERR_FILENO
/// The code of a write without a reader.
package let brokenPipe: Int32 = EPIPE
/// The code of a read or write if the descriptor is not open.
package let badDescriptor: Int32 = EBADF

/// Writes all of the text.
///
/// - Throws: `SystemError`, with `brokenPipe` if the reader has gone and SIGPIPE is ignored.
package func writeFully(_ text: String, to descriptor: Int32) throws(SystemError) {
    try writeFully(Array(text.utf8), to: descriptor, name(of: descriptor))
}

/// Writes all of the bytes. Errors have the subject.
package func writeFully(
    _ bytes: [UInt8], to descriptor: Int32, _ subject: @autoclosure () -> String
) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        do throws(SystemError) {
            done += try retrying("write to", subject()) {
                bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            }
        } catch {
            // Another process that shares the descriptor has made it non-blocking.
            guard error.code == EAGAIN else { throw error }
            _ = try StreamSocket.wait(for: descriptor, events: POLLOUT, until: nil)
        }
    }
}

private func name(of descriptor: Int32) -> String {
    switch descriptor {
    case standardInput: "standard input"
    case standardOutput: "standard output"
    case standardError: "standard error"
    default: "file descriptor \(descriptor)"
    }
}

/// Replaces closed standard descriptors with ones on which reads and writes fail.
///
/// Otherwise the next file or socket would get their number, and the program would print to it.
package func reserveStandardDescriptors() {
    // In this order, because a new descriptor gets the lowest free number.
    for descriptor in [standardInput, standardOutput, standardError] where fcntl(descriptor, F_GETFD) == -1 {
        _ = open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
    }
}

/// Returns whether the descriptor is a terminal.
package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Lets a write without a reader fail with `brokenPipe`, instead of ending the process.
package func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
