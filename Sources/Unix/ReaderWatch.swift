import Glibc

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
