import Unix

/// A socket that was opened before this process was started, as systemd does for a socket unit.
public struct PassedSocket: Sendable, Hashable {
    /// The descriptor. A service that serves it owns it.
    public let descriptor: Int32
    /// The `FileDescriptorName=` of the socket unit; `unknown` if it has none.
    public let name: String

    /// Creates a value for a socket from another source, such as one end of a socketpair(2) whose other end a child
    /// process has.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Returns the sockets that were passed to this process, in the order of the unit (`LISTEN_PID`, `LISTEN_FDS`,
    /// `LISTEN_FDNAMES`, sd_listen_fds(3)); none if it was started in another way.
    ///
    /// A second call returns none: the variables are removed, because they are not for child processes.
    public static func takeAll() -> [PassedSocket] { ServiceManager.takePassedSockets().map(PassedSocket.init) }
}

extension VarlinkService {
    /// Serves a socket that was passed to this process: a listening one (`Accept=no`), or a connection (`Accept=yes`).
    /// The service owns the descriptor, but does not remove the file.
    ///
    /// - Throws: `VarlinkError.system` if it is not a Unix stream socket. The descriptor is closed then.
    public func serve(_ socket: PassedSocket) throws(VarlinkError) {
        // Owned, so that a refused descriptor is closed.
        try VarlinkError.converting(try serve(passed: Descriptor(owning: socket.descriptor)))
    }

    private func serve(passed socket: consuming Descriptor) throws(SystemError) {
        guard try StreamSocket.listens(socket.rawValue) else { return try serve(connected: socket) }
        try serve(try ListeningSocket(inheriting: socket))
    }
}
