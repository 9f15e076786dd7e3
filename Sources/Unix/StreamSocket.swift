import CLinux
import Glibc

/// Functions for Unix stream sockets. All descriptors are close-on-exec.
package enum StreamSocket {
    /// Connects to an address, with non-blocking reads and writes. Waits while the queue is full, if there is a timeout.
    ///
    /// - Throws: `SystemError`: ENOENT if there is no socket, ENOTSOCK if there is another file, ECONNREFUSED if no
    ///   process listens, EAGAIN if the queue is full until the end of the time.
    package static func connect(
        to address: SocketAddress, waitingAtMost timeout: Duration? = nil
    ) throws(SystemError) -> Descriptor {
        let socket = try makeSocket(isBlocking: timeout != nil)
        if let timeout { try limitConnecting(socket, to: timeout) }
        do throws(SystemError) {
            try address.withKernelForm("connect to") { (pointer, length) throws(SystemError) in
                try retrying("connect to", address.description) { Glibc.connect(socket.rawValue, pointer, length) }
            }
        } catch {
            // The kernel returns ECONNREFUSED also for a file that is not a socket.
            guard error.code == ECONNREFUSED, !address.isAbstract,
                let status = try? fileStatus(at: address.description), status.type != S_IFSOCK
            else { throw error }
            throw SystemError(error.operation, error.subject, code: ENOTSOCK)
        }
        try stopWaiting(socket.rawValue)
        return socket
    }

    /// Limits the time that `connect` waits.
    private static func limitConnecting(_ socket: borrowing Descriptor, to timeout: Duration) throws(SystemError) {
        // Zero would mean no limit.
        let microseconds = Int(max(1, timeout.microseconds))
        var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try retrying("set the timeout of a socket") {
            setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        }
    }

    /// Accepts the next waiting connection, non-blocking; nil if none waits.
    ///
    /// - Throws: `SystemError`. After EMFILE and ENFILE, the connection still waits, and the listener stays readable.
    package static func accept(from listener: Int32) throws(SystemError) -> Descriptor? {
        do throws(SystemError) {
            let raw = try retrying("accept a connection") { linux_accept4(listener, closeOnExec | nonBlocking) }
            return Descriptor(owning: raw)
        } catch {
            // ECONNABORTED: the client has closed the connection.
            if error.code == EAGAIN || error.code == ECONNABORTED { return nil }
            throw error
        }
    }

    /// Returns true if the socket listens, and false if it is connected.
    ///
    /// - Throws: ENOTSOCK for a file, EAFNOSUPPORT for a family without credentials, EPROTOTYPE if it is not a stream.
    package static func listens(_ socket: Int32) throws(SystemError) -> Bool {
        func option(_ name: Int32) throws(SystemError) -> Int32 {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            try retrying("inspect file descriptor", "\(socket)") { getsockopt(socket, SOL_SOCKET, name, &value, &size) }
            return value
        }
        guard try option(SO_DOMAIN) == AF_UNIX else {
            throw SystemError("use file descriptor", "\(socket)", code: EAFNOSUPPORT)
        }
        guard try option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) else {
            throw SystemError("use file descriptor", "\(socket)", code: EPROTOTYPE)
        }
        return try option(SO_ACCEPTCONN) == 1
    }

    /// Takes ownership of a connected Unix stream socket of another program, and makes it non-blocking.
    ///
    /// - Throws: EINVAL if it listens; the errors of `listens`. The descriptor is closed then.
    package static func adopt(_ descriptor: Int32) throws(SystemError) -> Descriptor {
        let socket = Descriptor(owning: descriptor)
        if try listens(descriptor) { throw SystemError("use file descriptor", "\(descriptor)", code: EINVAL) }
        try stopWaiting(descriptor)
        return socket
    }

    /// Returns the process at the other end of a connection when it connected (SO_PEERCRED). The process ID is 0 if it is
    /// not visible, as in another container.
    package static func peer(of socket: Int32) throws(SystemError) -> (pid: Int32, uid: UInt32, gid: UInt32) {
        var (pid, uid, gid): (Int32, UInt32, UInt32) = (0, 0, 0)
        try retrying("read the peer credentials of a socket") { linux_peer_credentials(socket, &pid, &uid, &gid) }
        return (pid, uid, gid)
    }

    /// Makes reads and writes non-blocking.
    package static func stopWaiting(_ socket: Int32) throws(SystemError) {
        let flags = try retrying("read the flags of a socket") { fcntl(socket, F_GETFL) }
        try retrying("set the flags of a socket") { fcntl(socket, F_SETFL, flags | O_NONBLOCK) }
    }

    /// The result of a read or write.
    package enum Transfer: Equatable, Sendable {
        /// The number of bytes, at least one.
        case moved(Int)
        /// It would wait.
        case wouldBlock
        /// The other side has closed the connection.
        case ended
    }

    /// Waits in poll(2) for one of the events or an error.
    ///
    /// - Returns: False if the time has passed before.
    package static func wait(
        for descriptor: Int32, events: Int32, until limit: BootInstant?
    ) throws(SystemError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = try retrying("wait for a socket") { poll(&entry, 1, limit.map(milliseconds(until:)) ?? -1) }
        return count > 0
    }

    /// The milliseconds for poll(2), rounded up.
    static func milliseconds(until limit: BootInstant) -> Int32 {
        let left = max(.zero, BootInstant.now.duration(to: limit)).components
        return Int32(clamping: left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Reads into the buffer once.
    ///
    /// A connection that was reset counts as ended, since earlier bytes were read before.
    package static func receive(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Transfer {
        let transfer = try moving("read from a socket") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        return transfer == .moved(0) ? .ended : transfer
    }

    /// Writes as many bytes as the kernel takes, without SIGPIPE.
    package static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) -> Transfer {
        try moving("write to a socket") {
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private static func moving(_ operation: String, _ call: () -> Int) throws(SystemError) -> Transfer {
        do throws(SystemError) {
            return .moved(try retrying(operation) { call() })
        } catch {
            switch error.code {
            case EAGAIN: return .wouldBlock
            case EPIPE, ECONNRESET: return .ended
            default: throw error
            }
        }
    }
}

private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
private let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)

/// Creates a Unix stream socket.
func makeSocket(isBlocking: Bool) throws(SystemError) -> Descriptor {
    let flags = Int32(SOCK_STREAM.rawValue) | closeOnExec | (isBlocking ? 0 : nonBlocking)
    return Descriptor(owning: try retrying("create a socket") { socket(AF_UNIX, flags, 0) })
}

/// The address of a Unix socket: a path, or `@` and a name in the abstract namespace of the kernel.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The notation for people: `/run/radio/socket`, `@name`.
    package let description: String

    package init(_ text: String) { description = text }

    /// True if it is an abstract name, which has no file and no mode.
    package var isAbstract: Bool { description.utf8.first == UInt8(ascii: "@") }

    /// Calls the body with the address for system calls.
    ///
    /// - Throws: ENAMETOOLONG for more than 108 bytes, EINVAL for an empty path or a NUL; the errors of the body.
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
