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

    package var isListenedTo: Bool { socket != nil }

    /// The service is ready.
    package func ready(status: String) { send("READY=1\nSTATUS=\(line(status))", waits: true) }

    /// Extends the timeout of the start.
    package func extendTimeout(by time: Duration) { send("EXTEND_TIMEOUT_USEC=\(time.microseconds)", waits: true) }

    /// The configuration is being reloaded; `ready` follows.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(BootInstant.monotonicMicroseconds)", waits: true)
    }

    /// The service is stopping.
    package func stopping() { send("STOPPING=1") }

    /// The line in `systemctl status`. It is only evaluated if there is a service manager.
    package func status(_ status: @autoclosure () -> String) {
        if isListenedTo { send("STATUS=\(line(status()))") }
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

/// Extends the start timeout of the service manager while the service starts.
///
/// The migration or recovery of a large database blocks the thread that starts the service, so the messages come from the
/// thread of a loop. The number of messages is limited: the manager still stops a start that hangs.
package struct StartTimeoutExtension: Sendable {
    /// Ends after the last message, or with `CancellationError` after `end`.
    package let messages: Task<Void, any Error>

    /// Sends the first message at once; nil if no manager listens.
    ///
    /// Each message extends the timeout to three intervals from then on. The default count makes a quarter of an hour.
    /// The loop must run, and must not be blocked during the start.
    package init?(
        _ notifier: Notifier, on loop: EventLoop, every interval: Duration = .seconds(20), count: Int = 45
    ) {
        guard notifier.isListenedTo else { return nil }
        notifier.extendTimeout(by: interval * 3)
        messages = Task(executorPreference: loop) {
            for _ in 1..<count {
                try await loop.sleep(for: interval)
                notifier.extendTimeout(by: interval * 3)
            }
        }
    }

    /// Sends no further message. Callable from any thread.
    package func end() { messages.cancel() }
}
