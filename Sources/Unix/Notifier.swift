import Glibc

/// Sends the state of the service to the service manager, if there is one.
package final class Notifier: Sendable {
    private let socket: Int32?
    private let address: SocketAddress?

    /// - Parameter address: The value of `$NOTIFY_SOCKET`: a path, or `@` and an abstract name.
    package init(address: String? = environment("NOTIFY_SOCKET")) {
        self.address = address.map(SocketAddress.init)
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = address == nil ? -1 : Glibc.socket(AF_UNIX, type, 0)
        socket = descriptor == -1 ? nil : descriptor
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { if let socket { close(socket) } }

    /// The service is ready.
    package func ready(status: String) { send("READY=1\nSTATUS=\(line(status))", waits: true) }

    /// The configuration is being reloaded; `ready` follows.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(BootInstant.monotonicMicroseconds)", waits: true)
    }

    /// The service is stopping.
    package func stopping() { send("STOPPING=1") }

    /// The line in `systemctl status`. It is only evaluated if there is a service manager.
    package func status(_ status: @autoclosure () -> String) {
        if socket != nil { send("STATUS=\(line(status()))") }
    }

    /// The service is alive.
    package func alive() { send("WATCHDOG=1") }

    private func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// Only messages that the manager waits for are worth waiting, for at most a second.
    private func send(_ message: String, waits: Bool = false) {
        guard let socket, let address else { return }
        // The service works even if the manager does not receive messages.
        _ = try? address.withKernelForm("notify") { (pointer, length) throws(SystemError) in
            let bytes = Array(message.utf8)
            let flags = Int32(MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT))
            return sendto(socket, bytes, bytes.count, flags, pointer, length)
        }
    }
}
