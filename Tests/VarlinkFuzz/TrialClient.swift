import Glibc
import Unix
import Varlink

/// A client at one end of a pair of sockets. It never waits.
final class TrialClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var isOpen = true
    /// The bytes to send.
    var unsent: ArraySlice<UInt8> = []

    /// Connects, with a small buffer for unread bytes.
    init(of service: VarlinkService) throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        try retrying("make a pair") { socketpair(AF_UNIX, kind, 0, &ends) }
        descriptor = ends[1]
        // The kernel uses its minimum instead.
        var size: Int32 = 1
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        try service.serve(connected: Descriptor(owning: ends[0]))
    }

    deinit {
        close()
    }

    /// Sends at most this number of bytes, as far as the socket takes them.
    func send(_ count: Int) throws {
        guard isOpen, !unsent.isEmpty else { return }
        let transfer = try unsent.prefix(count).withUnsafeBytes { try StreamSocket.send($0, to: descriptor) }
        switch transfer {
        case .moved(let moved): unsent = unsent.dropFirst(moved)
        case .wouldBlock: break
        // The service has closed the connection, so the rest is dropped.
        case .ended: unsent = []
        }
    }

    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads once; returns whether the service has ended the connection.
    func receive() throws -> Bool {
        guard isOpen else { return true }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let transfer = try buffer.withUnsafeMutableBytes { try StreamSocket.receive(from: descriptor, into: $0) }
        if case .moved(let count) = transfer { received += buffer[..<count] }
        return transfer == .ended
    }

    /// Returns the received messages, which must be complete.
    func messages() throws -> [String] {
        try demand(received.isEmpty || received.last == 0, "a message has no end")
        return received.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func forgetMessages() {
        received = []
    }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }
}
