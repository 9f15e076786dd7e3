import CLinux

/// The process at the other end of a Unix socket, when it connected (SO_PEERCRED).
package struct PeerCredentials: Hashable, Sendable {
    /// 0 if the process is not visible, as in another container.
    package let pid: Int32
    package let uid: UInt32
    package let gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }

    package init(of socket: Int32) throws(SystemError) {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
        try retrying("read the peer credentials of a socket") { linux_peer_credentials(socket, &pid, &uid, &gid) }
        self.init(pid: pid, uid: uid, gid: gid)
    }
}
