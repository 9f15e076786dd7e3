import Glibc

/// A system call that failed: what was tried, on what, and the kernel's code.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// What was tried, as it reads after "cannot": `listen on`, `open`, `create`.
    package let operation: String
    /// What it was tried on: a path, an address; empty where the operation says it all.
    package let subject: String
    /// The `errno` of the failure, or `notRegularFile`.
    package let code: Int32

    /// The code for a FIFO, a device or a socket in the place of a file, for which the kernel has none.
    package static let notRegularFile: Int32 = -1

    package init(_ operation: String, _ subject: String = "", code: Int32 = errno) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }

    /// The kernel's words for the code, as strerror(3) gives them, in lower case: `address already in use`.
    package var reason: String {
        if code == Self.notRegularFile { return "not a regular file" }
        var buffer = [CChar](repeating: 0, count: 256)
        // The POSIX variant is the one Swift imports: it fills the buffer and returns a status.
        _ = strerror_r(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }

    package var description: String {
        subject.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation) \(subject): \(reason)"
    }
}

/// The result of a system call that returns -1 on failure, tried again where a signal interrupted it.
///
/// - Throws: `SystemError` with the given words and `errno`, at the line of the call.
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
