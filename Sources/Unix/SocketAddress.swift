import Glibc

/// The address of a Unix socket: a path, or `@` and a name in the abstract namespace of the kernel.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The notation for people: `/run/jokesd/jokesd.sock`, `@name`.
    package let description: String

    package init(_ text: String) { description = text }

    /// Whether it is an abstract name, which has no file and no mode.
    package var isAbstract: Bool { description.utf8.first == UInt8(ascii: "@") }

    /// Calls the body with the address for system calls.
    ///
    /// - Throws: `SystemError`: ENAMETOOLONG if it does not fit in 108 bytes, EINVAL for an empty path or one with a
    ///   NUL; the errors of the body.
    @discardableResult
    func withKernelForm<Result>(
        _ operation: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(description.utf8)
        let isValid = bytes.count > (isAbstract ? 1 : 0) && !bytes.contains(0)
        guard isValid else { throw SystemError(operation, description, code: EINVAL) }
        // An abstract name begins with a 0 byte, and a path ends with one.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(operation, description, code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
        return try withUnsafePointer(to: &address) { (pointer) throws(SystemError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (generic) throws(SystemError) in
                try body(generic, length)
            }
        }
    }
}
