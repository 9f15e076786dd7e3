import Glibc

/// Descriptor 0.
package let standardInput: Int32 = STDIN_FILENO
/// Descriptor 1, by its number: `stdout` is shared mutable state to Swift.
package let standardOutput: Int32 = STDOUT_FILENO
/// Descriptor 2.
package let standardError: Int32 = STDERR_FILENO
/// The code of a write whose reader has gone.
package let brokenPipe: Int32 = EPIPE
/// The code of a read or a write where nothing is open for it.
package let badDescriptor: Int32 = EBADF

/// Writes all of the text, however many writes it takes.
///
/// - Throws: `SystemError`; with `brokenPipe` where nobody reads it any more, if SIGPIPE is ignored.
package func writeFully(_ text: String, to descriptor: Int32) throws(SystemError) {
    try writeFully(Array(text.utf8), to: descriptor, name(of: descriptor))
}

/// Writes all of the bytes, as `writeFully` does with text; the subject is what an error names.
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
            // Somebody who shares the descriptor made it non-blocking.
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

/// Puts something in the place of standard descriptors that are closed, on which reads and writes fail as before.
///
/// Otherwise the next file or socket to be opened has their number, and is what the program prints to.
package func holdStandardDescriptors() {
    // In this order: what is opened gets the lowest number that is free.
    for descriptor in [standardInput, standardOutput, standardError] where fcntl(descriptor, F_GETFD) == -1 {
        _ = open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
    }
}

/// Whether a terminal is at the other end.
package func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
}

/// Whether this process is in the foreground of the terminal at the other end; false if there is no terminal.
package func isInForeground(ofTerminal descriptor: Int32) -> Bool {
    isTerminal(descriptor) && tcgetpgrp(descriptor) == getpgrp()
}

/// Has a write to somebody who has gone fail with `brokenPipe`, and not end the process.
package func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
}

/// What came first.
package enum InputOrReader: Hashable, Sendable {
    /// Something can be read, or the end of it.
    case input
    /// Nobody is left who would read what is written.
    case readerGone
    /// The time has passed.
    case timeout
}

/// Waits by poll(2) until something can be read from `input`, or the reader of `output` has gone, which a program that
/// seldom writes would learn late otherwise.
///
/// Without an input, only for the reader; without a limit for as long as it takes. Where `output` is no pipe, socket or
/// terminal, its reader never goes.
package func waitForInput(
    _ input: Int32?, orReaderGoneFrom output: Int32, until limit: BootInstant? = nil
) throws(SystemError) -> InputOrReader {
    // A descriptor of -1 is passed over.
    var entries = [
        pollfd(fd: input ?? -1, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
    ]
    _ = try retrying("poll") { poll(&entries, 2, limit.map(StreamSocket.milliseconds(until:)) ?? -1) }
    if entries[1].revents & Int16(POLLERR | POLLHUP) != 0 { return .readerGone }
    return entries[0].revents == 0 ? .timeout : .input
}
