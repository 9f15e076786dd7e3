import CLinux
import Glibc

/// What systemd passes to a service and hears from it: sd_listen_fds(3) and sd_notify(3), which are small public
/// protocols and are spoken without libsystemd.
package enum ServiceManager {
    // MARK: Sockets

    /// A listening socket that was opened before this process was started.
    package struct PassedSocket: Hashable, Sendable {
        package let descriptor: Int32
        /// `FileDescriptorName=` of the socket unit; `unknown` where it names none.
        package let name: String
    }

    /// The sockets passed to this process, which owns them from here on; none where it was started otherwise.
    ///
    /// Takes the variables out of the environment, so that no child believes they are its own. Call it once.
    package static func takePassedSockets() -> [PassedSocket] {
        defer {
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        }
        guard let pid = environment("LISTEN_PID").flatMap({ Int32($0) }), pid == getpid(),
            let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...1024).contains(count)
        else { return [] }
        let names = environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        return (0..<count).map { index in
            let descriptor = firstPassed + index
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : "unknown"
            return PassedSocket(descriptor: descriptor, name: name)
        }
    }

    private static let firstPassed: Int32 = 3

    // MARK: Watchdog

    /// How often the manager wants to hear `WATCHDOG=1` at the latest; nil where it does not watch this process.
    package static var watchdogInterval: Duration? {
        guard let interval = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), interval > 0 else { return nil }
        if let pid = environment("WATCHDOG_PID"), Int32(pid) != getpid() { return nil }
        return .microseconds(interval)
    }
}

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
    }

    deinit {
        if let socket { close(socket) }
    }

    package var isListenedTo: Bool {
        socket != nil
    }

    /// The service answers.
    package func ready(status: String) { send("READY=1\nSTATUS=\(line(status))") }

    /// The configuration is being read again; `ready` follows.
    package func reloading() {
        let now = BootInstant.monotonicMicroseconds
        send("RELOADING=1\nMONOTONIC_USEC=\(now)")
    }

    /// The service is about to end.
    package func stopping() { send("STOPPING=1") }

    /// What `systemctl status` shows.
    package func status(_ status: String) { send("STATUS=\(line(status))") }

    /// The service is alive.
    package func alive() { send("WATCHDOG=1") }

    private func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private func send(_ message: String) {
        guard let socket, let address else { return }
        // Nothing depends on it being heard, and the manager may be busy: a failure is passed over.
        _ = try? address.withKernelForm("notify") { (pointer, length) throws(SystemError) in
            let bytes = Array(message.utf8)
            return sendto(
                socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), pointer, length)
        }
    }
}
