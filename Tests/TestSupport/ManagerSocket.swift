import Glibc
import Unix

/// The service manager's end of sd_notify(3).
package final class ManagerSocket {
    private let descriptor: Int32

    /// Listens at the path or the abstract name, which is the daemon's NOTIFY_SOCKET.
    package init(_ path: String) throws {
        descriptor = try retrying("make a socket") { socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.utf8.enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let raw = descriptor
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try retrying("bind", path) { bind(raw, generic, length) }
            }
        }
    }

    deinit {
        close(descriptor)
    }

    /// Receives messages until a message has the line.
    ///
    /// - Parameters:
    ///   - line: A line in the format of sd_notify(3), such as `READY=1`.
    ///   - explanation: Additional text for the failure.
    /// - Throws: `DeadlinePassed` if no such line arrives within a minute.
    package func waitFor(_ line: String, _ explanation: () -> String) throws {
        _ = try first(line, where: { $0 == line }, explanation)
    }

    /// Receives messages until a line matches, and returns that line. `expected` describes the line in the failure.
    package func first(
        _ expected: String, where isMatch: (Substring) -> Bool, _ explanation: () -> String
    ) throws -> String {
        let deadline = Deadline()
        while true {
            let message: String
            do {
                message = try receive(deadline)
            } catch is DeadlinePassed {
                throw DeadlinePassed("the daemon sent \(expected); its errors: \(explanation())")
            }
            if let line = message.split(separator: "\n").first(where: isMatch) { return String(line) }
        }
    }

    /// Waits for the next message, and returns it.
    package func receive(_ deadline: Deadline = Deadline()) throws -> String {
        try waitUntil(descriptor, deadline)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try retrying("receive") { recv(descriptor, &buffer, buffer.count, 0) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// Discards the messages of an earlier daemon.
    package func discardAll() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    }
}
