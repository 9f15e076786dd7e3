import Glibc
package import Unix

/// Holds others back until it is opened, for good.
///
/// A pipe: the end of its writing side is what all who wait see, and poll(2) can watch it beside other descriptors.
package final class Gate: Sendable {
    /// Hangs up (POLLHUP) once the gate is open.
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

    /// Lets everybody through, those who come later too. May be called again.
    package func open() {
        writing.withLock { writing in
            if let end = writing { close(end) }
            writing = nil
        }
    }
}
