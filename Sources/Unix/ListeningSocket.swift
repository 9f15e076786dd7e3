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
    /// Two processes that find the same dead socket agree by a lock on its folder: one replaces it, the other is
    /// refused. Who may connect is told by the mode, which the socket's file gets whatever the umask.
    ///
    /// - Throws: `SystemError`: EADDRINUSE where somebody listens there already, EEXIST where something is there that
    ///   is not a socket.
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
    let folder = address.isAbstract ? nil : try SocketFolderLock(ofParentOf: path)
    if !address.isAbstract { try removeDeadSocket(at: address) }
    try address.withKernelForm("listen on") { (pointer, length) throws(SystemError) in
        try retrying("listen on", path) { Glibc.bind(socket, pointer, length) }
    }
    // Nobody can connect before listen(2), so nobody gets in by the mode that the umask gave.
    if !address.isAbstract { try retrying("set the mode of", path) { chmod(path, mode) } }
    try retrying("listen on", path) { listen(socket, backlog) }
    return withExtendedLifetime(folder) { address.isAbstract ? nil : SocketFile(at: path) }
}

/// Holds a folder against others that take this lock, until it goes.
private final class SocketFolderLock {
    private let descriptor: Descriptor

    init(ofParentOf path: String) throws(SystemError) {
        let folder = parentFolder(of: path)
        descriptor = Descriptor(
            owning: try retrying("open folder", folder) { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        try retrying("lock folder", folder) { flock(descriptor.rawValue, LOCK_EX) }
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
