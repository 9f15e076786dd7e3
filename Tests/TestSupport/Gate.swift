import Glibc
package import Unix

/// A latch: threads wait until the gate is opened, and the gate stays open.
///
/// The gate is a pipe. Opening the gate closes the writing end, so that poll(2) reports POLLHUP to every waiting thread.
package final class Gate: Sendable {
    /// The reading end, for which poll(2) reports POLLHUP when the gate is open.
    package let descriptor: Int32
    private let writing: Locked<Int32?>

    package init() throws(SystemError) {
        let pipe = try makePipe()
        descriptor = pipe.reading
        writing = Locked(pipe.writing)
    }

    deinit {
        open()
        close(descriptor)
    }

    /// Ends all current and later waits. May be called more than once.
    package func open() {
        writing.withLock { writing in
            if let end = writing { close(end) }
            writing = nil
        }
    }
}
