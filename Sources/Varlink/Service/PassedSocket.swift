import Unix

/// A socket that somebody opened before this process was started, as systemd does for a socket unit.
public struct PassedSocket: Sendable, Hashable {
    /// The descriptor; a service that is given it owns it from there on.
    public let descriptor: Int32
    /// What the socket unit calls it (`FileDescriptorName=`); `unknown` where it does not.
    public let name: String

    /// A socket that came some other way.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The sockets that the environment says were passed to this process (`LISTEN_PID`, `LISTEN_FDS`,
    /// `LISTEN_FDNAMES`, sd_listen_fds(3)), in the unit's order; none where it was started otherwise.
    ///
    /// The variables are taken out of the environment, so that no child believes them to be its own: the second call
    /// finds nothing.
    public static func takeAll() -> [PassedSocket] {
        ServiceManager.takePassedSockets().map(PassedSocket.init)
    }
}

extension VarlinkService {
    /// Serves a socket that was passed to this process: one that listens (`Accept=no`), or one connection
    /// (`Accept=yes`). The service owns the descriptor from here on, and the file stays whose it is.
    ///
    /// - Throws: `VarlinkError.system` for what is no Unix stream socket; the descriptor is closed then.
    public func serve(_ socket: PassedSocket) throws(VarlinkError) {
        do throws(SystemError) {
            // Owned from here on, so that a refused descriptor is closed.
            let descriptor = Descriptor(owning: socket.descriptor)
            if try StreamSocket.listens(descriptor.rawValue) {
                try serve(try ListeningSocket(inheriting: descriptor))
            } else {
                try serve(connected: descriptor)
            }
        } catch {
            throw VarlinkError(error)
        }
    }
}
