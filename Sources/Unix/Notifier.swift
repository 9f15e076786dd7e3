import CLinux
import Glibc

/// Tells the service manager how the service does; silent where none listens.
package final class Notifier: Sendable {
    private let socket: Int32?
    private let address: SocketAddress?

    /// - Parameter address: `$NOTIFY_SOCKET`: a path, or `@` and an abstract name.
    package init(address: String? = environment("NOTIFY_SOCKET")) {
        self.address = address.map(SocketAddress.init)
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = address == nil ? -1 : Glibc.socket(AF_UNIX, type, 0)
        socket = descriptor == -1 ? nil : descriptor
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        if let socket { close(socket) }
    }

    package var isListenedTo: Bool {
        socket != nil
    }

    /// The service answers.
    package func ready(status: String) { send("READY=1\nSTATUS=\(line(status))", waits: true) }

    /// The start takes longer: another message comes within this time.
    package func extendTimeout(by time: Duration) {
        let parts = time.components
        let microseconds = parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
        send("EXTEND_TIMEOUT_USEC=\(microseconds)", waits: true)
    }

    /// The configuration is being read again; `ready` follows.
    package func reloading() {
        let now = BootInstant.monotonicMicroseconds
        send("RELOADING=1\nMONOTONIC_USEC=\(now)", waits: true)
    }

    /// The service is about to end.
    package func stopping() { send("STOPPING=1") }

    /// What `systemctl status` shows; asked for only where somebody listens.
    package func status(_ status: @autoclosure () -> String) {
        if isListenedTo { send("STATUS=\(line(status()))") }
    }

    /// The service is alive.
    package func alive() { send("WATCHDOG=1") }

    private func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// What the manager itself waits for is worth waiting for its attention, for a second at most; nothing else is.
    private func send(_ message: String, waits: Bool = false) {
        guard let socket, let address else { return }
        // The service does its work whether it is heard or not.
        _ = try? address.withKernelForm("notify") { (pointer, length) throws(SystemError) in
            let bytes = Array(message.utf8)
            return sendto(
                socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT)), pointer,
                length)
        }
    }
}
