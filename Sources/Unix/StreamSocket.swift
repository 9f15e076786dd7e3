import CLinux
import Glibc

/// Unix stream sockets: connecting, accepting, and who is at the other end. Every descriptor is close-on-exec.
package enum StreamSocket {
    /// A connection to whoever listens at the address.
    ///
    /// Whether reads and writes on the new descriptor wait is the caller's choice.
    ///
    /// - Throws: `SystemError`: ENOENT where there is no socket, ENOTSOCK where there is something else, ECONNREFUSED where
    ///   nobody listens, EAGAIN where a non-blocking connect finds the queue full.
    package static func connect(to address: SocketAddress, isBlocking: Bool) throws(SystemError) -> Descriptor {
        let socket = try makeSocket(SOCK_STREAM, isBlocking: isBlocking)
        try connect(socket, to: address)
        return socket
    }

    /// A connection, with non-blocking reads and writes, to whoever listens at the address; waits while the queue there
    /// is full.
    ///
    /// - Throws: `SystemError` as above; EAGAIN where the queue stayed full for so long.
    package static func connect(
        to address: SocketAddress, waitingAtMost timeout: Duration
    ) throws(SystemError) -> Descriptor {
        let socket = try makeSocket(SOCK_STREAM, isBlocking: true)
        let parts = timeout.components
        // All zero would mean for ever.
        var limit = timeval(
            tv_sec: Int(parts.seconds), tv_usec: max(1, Int(parts.attoseconds / 1_000_000_000_000)))
        let size = socklen_t(MemoryLayout<timeval>.size)
        try retrying("set the timeout of a socket") {
            setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        }
        try connect(socket, to: address)
        try stopWaiting(socket.rawValue)
        return socket
    }

    private static func connect(_ socket: borrowing Descriptor, to address: SocketAddress) throws(SystemError) {
        do throws(SystemError) {
            try address.withKernelForm("connect to") { (pointer, length) throws(SystemError) in
                try retrying("connect to", address.description) { Glibc.connect(socket.rawValue, pointer, length) }
            }
        } catch {
            // Of a file that is no socket the kernel says, too, that nobody listens.
            var facts = stat()
            let isOther =
                error.code == ECONNREFUSED && !address.isAbstract && stat(address.description, &facts) == 0
                && facts.st_mode & S_IFMT != S_IFSOCK
            throw isOther ? SystemError(error.operation, error.subject, code: ENOTSOCK) : error
        }
    }

    /// The next connection that waits at a listening descriptor, non-blocking; nil where none does.
    ///
    /// - Throws: `SystemError`, EMFILE and ENFILE among them: the connection then still waits, and the listener stays
    ///   readable.
    package static func accept(from listener: Int32) throws(SystemError) -> Descriptor? {
        do throws(SystemError) {
            let raw = try retrying("accept a connection") { linux_accept4(listener, closeOnExec | nonBlocking) }
            return Descriptor(owning: raw)
        } catch {
            // ECONNABORTED: that client gave up while it waited.
            if error.code == EAGAIN || error.code == ECONNABORTED { return nil }
            throw error
        }
    }

    /// Whether a Unix stream socket that another process made listens; it is a connection otherwise.
    ///
    /// - Throws: `SystemError`: ENOTSOCK for what is no socket, EAFNOSUPPORT for one of another family, on which nobody
    ///   could be known, EPROTOTYPE for one that is no stream.
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

    /// From here on, reads and writes take what there is.
    package static func stopWaiting(_ socket: Int32) throws(SystemError) {
        let flags = try retrying("read the flags of a socket") { fcntl(socket, F_GETFL) }
        try retrying("set the flags of a socket") { fcntl(socket, F_SETFL, flags | O_NONBLOCK) }
    }

    /// What a read or a write came to.
    package enum Transfer: Equatable, Sendable {
        /// So many bytes were moved, at least one.
        case moved(Int)
        /// Nothing can be moved now without waiting.
        case wouldBlock
        /// The other side has closed: nothing more will come, or nobody will read.
        case ended
    }

    /// Waits by poll(2) until one of the events or an error can be had.
    ///
    /// - Returns: false where the instant came first.
    package static func wait(
        for descriptor: Int32, events: Int32, until limit: BootInstant?
    ) throws(SystemError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = try retrying("wait for a socket") { poll(&entry, 1, limit.map(milliseconds(until:)) ?? -1) }
        return count > 0
    }

    /// What poll(2) takes, rounded up.
    static func milliseconds(until limit: BootInstant) -> Int32 {
        let left = max(.zero, BootInstant.now.duration(to: limit)).components
        return Int32(clamping: left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Reads into the buffer once.
    ///
    /// A connection that was reset reads as ended: what it had sent before was read before.
    package static func receive(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Transfer {
        do throws(SystemError) {
            let count = try retrying("read from a socket") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
            return count == 0 ? .ended : .moved(count)
        } catch {
            if error.code == EAGAIN { return .wouldBlock }
            if error.code == ECONNRESET { return .ended }
            throw error
        }
    }

    /// Writes as much of the bytes as the kernel takes, without raising SIGPIPE.
    package static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) -> Transfer {
        do throws(SystemError) {
            let count = try retrying("write to a socket") {
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            return .moved(count)
        } catch {
            if error.code == EAGAIN { return .wouldBlock }
            if error.code == EPIPE || error.code == ECONNRESET { return .ended }
            throw error
        }
    }
}

private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
private let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)

/// A Unix socket of a kind, close-on-exec.
func makeSocket(_ kind: __socket_type, isBlocking: Bool) throws(SystemError) -> Descriptor {
    let flags = Int32(kind.rawValue) | closeOnExec | (isBlocking ? 0 : nonBlocking)
    return Descriptor(owning: try retrying("create a socket") { socket(AF_UNIX, flags, 0) })
}
