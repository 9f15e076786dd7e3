import Glibc
import Unix

/// A client of a Varlink service that sends any bytes, also malformed messages, and returns answers as text.
package final class RawClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// The length of the prefix of `received` that is known to have no NUL.
    private var searched = 0
    private var isOpen = true

    /// Connects to the socket at the path, or at `@` and an abstract name.
    package init(_ address: String) throws {
        descriptor = try StreamSocket.connect(to: SocketAddress(address)).release()
    }

    /// Uses one end of a socket pair.
    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        if isOpen { Glibc.close(descriptor) }
    }

    /// Sends the text, with each `|` as the NUL that ends a message.
    package func send(_ text: String, _ deadline: Deadline = Deadline()) throws {
        try send(Array(text.utf8).map { $0 == UInt8(ascii: "|") ? 0 : $0 }, deadline)
    }

    /// Sends the bytes. If the service closes before the end, the rest is dropped.
    package func send(_ bytes: [UInt8], _ deadline: Deadline = Deadline()) throws {
        var done = 0
        while done < bytes.count {
            let transfer = try bytes[done...].withUnsafeBytes { try StreamSocket.send($0, to: descriptor) }
            switch transfer {
            case .moved(let count): done += count
            case .wouldBlock: try waitUntil(descriptor, isReadyFor: POLLOUT, deadline)
            case .ended: return
            }
        }
    }

    /// Sends as much as the kernel accepts at once; returns the number of bytes.
    package func sendWithoutWaiting(_ bytes: ArraySlice<UInt8>) throws -> Int {
        var rest = bytes
        while !rest.isEmpty {
            let transfer = try rest.withUnsafeBytes { try StreamSocket.send($0, to: descriptor) }
            guard case .moved(let count) = transfer else { break }
            rest = rest.dropFirst(count)
        }
        return bytes.count - rest.count
    }

    /// Returns the next message without its NUL; `nil` if the service has closed the connection.
    package func receive(_ deadline: Deadline = Deadline()) throws -> String? {
        while true {
            if let end = endOfMessage {
                defer {
                    received.removeSubrange(...end)
                    searched = 0
                }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard try read(deadline) else { return nil }
        }
    }

    /// Returns all output of the service until it closes the connection, with each NUL as `|`.
    package func receiveAll(_ deadline: Deadline = Deadline()) throws -> String {
        while try read(deadline) {}
        return String(decoding: received.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    }

    private var endOfMessage: Int? {
        let (start, count) = (searched, received.count)
        searched = count
        return received.withUnsafeBytes { bytes in
            guard count > start, let base = bytes.baseAddress else { return nil }
            return memchr(base + start, 0, count - start).map { UnsafeRawPointer($0) - base }
        }
    }

    /// Receives more bytes; returns false if the service has closed the connection.
    private func read(_ deadline: Deadline) throws -> Bool {
        try waitUntil(descriptor, isReadyFor: POLLIN, deadline)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let transfer = try buffer.withUnsafeMutableBytes { try StreamSocket.receive(from: descriptor, into: $0) }
        guard case .moved(let count) = transfer else { return transfer == .wouldBlock }
        received += buffer[..<count]
        return true
    }

    /// Closes the writing side; reading is still possible.
    package func shutDownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the connection.
    package func close() {
        isOpen = false
        Glibc.close(descriptor)
    }
}
