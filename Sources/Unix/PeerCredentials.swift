import CLinux

/// Who is at the other end of a Unix socket, as the kernel saw it connect (SO_PEERCRED).
package struct PeerCredentials: Hashable, Sendable {
    /// 0 where the process is not visible from here, as from within a container.
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
