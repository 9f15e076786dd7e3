/// Extends the start timeout of the service manager while the service starts.
///
/// The migration or recovery of a large database blocks the thread that starts the service, so the messages come from the
/// thread of a loop. The number of messages is limited: the manager still stops a start that hangs.
package actor StartTimeoutExtension {
    private nonisolated let loop: EventLoop
    private let notifier: Notifier
    private let interval: Duration
    private var messagesLeft: Int
    private var timer: TimerQueue.Token?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Sends the first message at once; nil if no manager listens.
    ///
    /// - Parameters:
    ///   - notifier: The way to the manager.
    ///   - loop: Sends the other messages. It must run, and must not be blocked during the start.
    ///   - interval: The time between two messages. Each message extends the timeout to three times this, from then on.
    ///   - count: The maximum number of messages. The default makes a quarter of an hour.
    package init?(
        _ notifier: Notifier = Notifier(), on loop: EventLoop, every interval: Duration = .seconds(20), count: Int = 45
    ) {
        guard notifier.isListenedTo else { return nil }
        self.loop = loop
        self.notifier = notifier
        self.interval = interval
        messagesLeft = count - 1
        notifier.extendTimeout(by: interval * 3)
        loop.perform { self.assumeIsolated { $0.schedule() } }
    }

    /// Whether another message follows.
    package var isActive: Bool {
        timer != nil
    }

    /// Sends no further message. Callable from any thread.
    package nonisolated func end() {
        loop.perform { self.assumeIsolated { $0.stop() } }
    }

    private func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func schedule() {
        timer = nil
        guard messagesLeft > 0 else { return }
        messagesLeft -= 1
        timer = loop.schedule(at: .now.advanced(by: interval)) { [weak self] in
            self?.assumeIsolated { $0.extend() }
        }
    }

    private func extend() {
        notifier.extendTimeout(by: interval * 3)
        schedule()
    }
}
