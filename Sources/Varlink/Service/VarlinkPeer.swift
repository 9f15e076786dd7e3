/// Who is at the other end of a connection, as the kernel saw it connect.
public struct VarlinkPeer: Sendable, Hashable, CustomStringConvertible {
    /// The connection's number, from 1, not used again in the service's life.
    public let connection: Int
    /// The process; 0 where it cannot be seen from here, as across containers.
    public let pid: Int32
    /// The user.
    public let uid: UInt32
    /// The group.
    public let gid: UInt32

    /// For a log: `client 3 (pid 1200, uid 1000)`.
    public var description: String { "client \(connection) (pid \(pid), uid \(uid))" }
}
