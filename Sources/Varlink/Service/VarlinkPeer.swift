/// The client of a connection, from the kernel.
public struct VarlinkPeer: Sendable, Hashable, CustomStringConvertible {
    /// The number of the connection, from 1. Numbers are not used again.
    public let connection: Int
    /// The process ID; 0 if it is not visible, as in another container.
    public let pid: Int32
    /// The user ID.
    public let uid: UInt32
    /// The group ID.
    public let gid: UInt32

    /// For a log: `client 3 (pid 1200, uid 1000)`.
    public var description: String { "client \(connection) (pid \(pid), uid \(uid))" }
}
