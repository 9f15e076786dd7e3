import Glibc
package import Unix

/// Blocks threads until it is opened, permanently.
///
/// It is a pipe: opening the gate closes the writing end, which every waiting thread sees and poll(2) reports.
package final class Gate: Sendable {
    /// Hangs up (POLLHUP) when the gate is open.
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

    /// Lets all current and later waiters through. May be called more than once.
    package func open() {
        writing.withLock { writing in
            if let end = writing { close(end) }
            writing = nil
        }
    }
}
