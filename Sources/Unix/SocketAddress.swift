import Glibc

/// Where a Unix socket is: a path, or a name in the kernel's abstract name space, written with a leading `@`.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// As people write it: `/run/jokesd/jokesd.sock`, `@name`.
    package let description: String

    package init(_ text: String) {
        description = text
    }

    /// An abstract name has no file, no mode and nothing to clean up.
    package var isAbstract: Bool {
        description.utf8.first == UInt8(ascii: "@")
    }

    /// Calls the body with the address as the kernel takes it.
    ///
    /// - Throws: `SystemError` with ENAMETOOLONG for what does not fit in the kernel's 108 bytes, EINVAL for an empty
    ///   path or one with a NUL in it; else what the body throws.
    @discardableResult
    func withKernelForm<Result>(
        _ operation: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(description.utf8)
        let isValid = bytes.count > (isAbstract ? 1 : 0) && !bytes.contains(0)
        guard isValid else { throw SystemError(operation, description, code: EINVAL) }
        // The first byte of an abstract name is 0 to the kernel, and its length ends it; a path ends with a 0.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(operation, description, code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
        // The closures of withUnsafePointer cannot carry a typed error through two levels; a Result can.
        let outcome: Swift.Result<Result, SystemError> = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                do throws(SystemError) {
                    return .success(try body(generic, length))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }
}
