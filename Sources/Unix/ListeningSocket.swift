import Glibc

/// A Unix stream socket that listens, non-blocking; the file it made in the file system goes with it.
package struct ListeningSocket: ~Copyable {
    private let socket: Descriptor
    /// The file that listening made: nil for an inherited or an abstract socket.
    private let file: SocketFile?

    /// Readable when a connection waits.
    package var rawValue: Int32 { socket.rawValue }

    /// Takes over a listening descriptor that another process made, as systemd does; its file stays that process's.
    ///
    /// - Throws: `SystemError` with EINVAL for a descriptor that does not listen, EAFNOSUPPORT for one of the network.
    package init(inheriting descriptor: consuming Descriptor) throws(SystemError) {
        let raw = descriptor.rawValue
        guard try StreamSocket.listens(raw) else {
            throw SystemError("accept connections on file descriptor", "\(raw)", code: EINVAL)
        }
        try StreamSocket.stopWaiting(raw)
        socket = descriptor
        file = nil
    }

    /// Listens at the address, in place of a socket there that nobody listens on any more.
    ///
    /// A lock on the file `PATH.lock` lets one process at a time do this; another that starts at the same time is
    /// refused. The lock file stays. Who may connect is told by the mode, which the socket's file gets whatever the
    /// umask.
    ///
    /// - Throws: `SystemError`: EADDRINUSE where somebody listens there already or is about to, EEXIST where something
    ///   is there that is not a socket.
    package init(at address: SocketAddress, mode: UInt32, backlog: Int32 = 1024) throws(SystemError) {
        let socket = try makeSocket(SOCK_STREAM, isBlocking: false)
        file = try bind(socket.rawValue, to: address, mode: mode, backlog: backlog)
        self.socket = socket
    }

    deinit {
        // Only our own: another daemon may have taken the path since.
        if let file, SocketFile(at: file.path) == file { unlink(file.path) }
    }
}

/// One file in the file system, told from another of the same name.
private struct SocketFile: Equatable {
    let path: String
    let device: dev_t
    let inode: ino_t

    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }
}

/// Binds the socket and listens; returns the file that this made.
private func bind(
    _ socket: Int32, to address: SocketAddress, mode: UInt32, backlog: Int32
) throws(SystemError) -> SocketFile? {
    let path = address.description
    // The lock file is made for an address that the kernel takes, and for no other.
    return try address.withKernelForm("listen on") { (pointer, length) throws(SystemError) in
        let lock = address.isAbstract ? nil : try SocketLock(for: path)
        if lock != nil { try removeDeadSocket(at: address) }
        try retrying("listen on", path) { Glibc.bind(socket, pointer, length) }
        // Nobody can connect before listen(2), so nobody gets in by the mode that the umask gave.
        if lock != nil { try retrying("set the mode of", path) { chmod(path, mode) } }
        try retrying("listen on", path) { listen(socket, backlog) }
        return withExtendedLifetime(lock) { lock == nil ? nil : SocketFile(at: path) }
    }
}

/// Keeps other processes from replacing or making the socket at a path, until it goes.
///
/// It never waits: whoever holds the lock is about to listen at this path. Other users cannot open our lock file. One of
/// theirs in its place can keep us from listening, as can a socket of theirs, but cannot make us wait.
private final class SocketLock {
    private let descriptor: Descriptor

    init(for path: String) throws(SystemError) {
        let file = "\(path).lock"
        descriptor = Descriptor(
            owning: try retrying("open", file) { open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) })
        do throws(SystemError) {
            try retrying("lock", file) { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
        } catch {
            throw error.code == EWOULDBLOCK ? SystemError("listen on", path, code: EADDRINUSE) : error
        }
    }
}

private func removeDeadSocket(at address: SocketAddress) throws(SystemError) {
    let path = address.description
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError("listen on", path, code: EEXIST) }
    do throws(SystemError) {
        _ = try StreamSocket.connect(to: address, isBlocking: false)
        throw SystemError("listen on", path, code: EADDRINUSE)
    } catch {
        switch error.code {
        case ECONNREFUSED: try retrying("remove the stale socket", path) { unlink(path) }
        case ENOENT: return
        // EAGAIN: its queue is full, so somebody has it.
        case EAGAIN: throw SystemError("listen on", path, code: EADDRINUSE)
        default: throw error
        }
    }
}
