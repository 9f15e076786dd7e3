import Glibc

/// A listening Unix stream socket, non-blocking. Its file is removed when it is freed.
package struct ListeningSocket: ~Copyable {
    private let socket: Descriptor
    /// The file of the socket; nil for an inherited or an abstract socket.
    private let file: (path: String, identity: FileIdentity)?

    /// The descriptor, which is readable if a connection waits.
    package var rawValue: Int32 { socket.rawValue }

    /// Takes ownership of a listening descriptor of another process, such as systemd. The file is not removed.
    ///
    /// - Throws: `SystemError`: EINVAL if it does not listen, EAFNOSUPPORT for a network socket.
    package init(inheriting descriptor: consuming Descriptor) throws(SystemError) {
        let raw = descriptor.rawValue
        guard try StreamSocket.listens(raw) else {
            throw SystemError("accept connections on file descriptor", "\(raw)", code: EINVAL)
        }
        try StreamSocket.stopWaiting(raw)
        socket = descriptor
        file = nil
    }

    /// Listens at an address. Replaces a socket on which no process listens.
    ///
    /// A lock on the file `PATH.lock`, which exists during this call only, excludes other processes that start at the
    /// same time. The file of the socket has the mode, without the umask.
    ///
    /// - Throws: EADDRINUSE if another process listens there or is about to, EEXIST if the path is no socket.
    package init(at address: SocketAddress, mode: UInt32) throws(SystemError) {
        let socket = try makeSocket(isBlocking: false)
        try bind(socket.rawValue, to: address, mode: mode)
        let identity = address.isAbstract ? nil : try? FileIdentity(at: address.description)
        file = identity.map { (address.description, $0) }
        self.socket = socket
    }

    deinit {
        // Only this file: another daemon may have replaced it.
        if let file, (try? FileIdentity(at: file.path)) == file.identity { unlink(file.path) }
    }
}

/// Binds the socket and listens.
private func bind(_ socket: Int32, to address: SocketAddress, mode: UInt32) throws(SystemError) {
    let path = address.description
    // After the kernel has accepted the address, so that no lock file is created for a wrong one.
    try address.withKernelForm("listen on") { (pointer, length) throws(SystemError) in
        let lock = address.isAbstract ? nil : try lockSocket(at: path)
        if !address.isAbstract { try removeDeadSocket(at: address) }
        try retrying("listen on", path) { Glibc.bind(socket, pointer, length) }
        // Before listen(2), so no client can connect with the mode of the umask.
        if !address.isAbstract { try retrying("set the mode of", path) { chmod(path, mode) } }
        try retrying("listen on", path) { listen(socket, 1024) }
        _ = consume lock
    }
}

/// A lock file, which is removed when this is freed.
private struct SocketLock: ~Copyable {
    let descriptor: Descriptor
    let path: String

    // While it is locked: after that, it could be the file of another process.
    deinit { unlink(path) }
}

/// Excludes other processes from creating or replacing the socket at a path, until the result is freed.
///
/// It never waits: a process with the lock is about to listen at this path. Other users cannot open the lock file.
/// Their own file at this path can prevent listening, as their own socket could, but cannot cause a wait.
private func lockSocket(at path: String) throws(SystemError) -> SocketLock {
    let file = "\(path).lock"
    // Again, if the process with the lock has removed the file after it was opened here.
    for _ in 0..<100 {
        let lock = Descriptor(
            owning: try retrying("open", file) { open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) })
        do throws(SystemError) {
            try retrying("lock", file) { flock(lock.rawValue, LOCK_EX | LOCK_NB) }
        } catch {
            throw error.code == EWOULDBLOCK ? SystemError("listen on", path, code: EADDRINUSE) : error
        }
        let isCurrent = try FileIdentity(of: lock, file) == FileIdentity(at: file)
        if isCurrent { return SocketLock(descriptor: lock, path: file) }
    }
    throw SystemError("listen on", path, code: EADDRINUSE)
}

private func removeDeadSocket(at address: SocketAddress) throws(SystemError) {
    let path = address.description
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.type == S_IFSOCK else { throw SystemError("listen on", path, code: EEXIST) }
    do throws(SystemError) {
        _ = try StreamSocket.connect(to: address)
        throw SystemError("listen on", path, code: EADDRINUSE)
    } catch {
        switch error.code {
        case ECONNREFUSED: try retrying("remove the stale socket", path) { unlink(path) }
        case ENOENT: return
        // EAGAIN: the queue is full, so another process listens.
        case EAGAIN: throw SystemError("listen on", path, code: EADDRINUSE)
        default: throw error
        }
    }
}
