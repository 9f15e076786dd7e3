import Glibc

/// The error of a system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The operation, as after "cannot": `listen on`, `open`, `create`.
    package let operation: String
    /// The path or address; empty if the operation has none.
    package let subject: String
    /// The `errno` of the failure, or `notRegularFile`.
    package let code: Int32

    /// The code for a FIFO, a device or a socket in the place of a file. The kernel has no code for this.
    package static let notRegularFile: Int32 = -1

    package init(_ operation: String, _ subject: String = "", code: Int32 = errno) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }

    /// The text of strerror(3) in lower case: `address already in use`.
    package var reason: String {
        if code == Self.notRegularFile { return "not a regular file" }
        var buffer = [CChar](repeating: 0, count: 256)
        // Swift imports the POSIX variant, which fills the buffer and returns a status.
        _ = strerror_r(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }

    package var description: String {
        subject.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation) \(subject): \(reason)"
    }
}

/// Returns the result of a system call that returns -1 on failure. Repeats the call if a signal interrupts it.
///
/// - Throws: `SystemError` with the operation, the subject and `errno`.
@discardableResult
package func retrying<Result: FixedWidthInteger & SignedInteger>(
    _ operation: String, _ subject: @autoclosure () -> String = "", _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation, subject(), code: code) }
    }
}
