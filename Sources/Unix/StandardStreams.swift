import Glibc

/// Descriptor 1, by its number: `stdout` is shared mutable state to Swift.
package let standardOutput: Int32 = STDOUT_FILENO
/// Descriptor 2.
package let standardError: Int32 = STDERR_FILENO
/// The code of a write whose reader has gone.
package let brokenPipe: Int32 = EPIPE

/// Writes all of the text, however many writes it takes.
///
/// - Throws: `SystemError`; with `brokenPipe` where nobody reads it any more, if SIGPIPE is ignored.
package func writeFully(_ text: String, to descriptor: Int32) throws(SystemError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
        done += try retrying("write to descriptor", "\(descriptor)") {
            bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
        }
    }
}

/// Whether a terminal is at the other end.
package func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
}

/// Has a write to somebody who has gone fail with `brokenPipe`, and not end the process.
package func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
}
