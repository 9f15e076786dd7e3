import CLinux
import Glibc

/// Signals of the process as events of a loop, from `init` to `end`.
///
/// The signals are blocked in the calling thread and in those it starts later. A thread that was there before and has
/// them unblocked would take them from the loop: watch first, then start threads.
package final class SignalWatch {
    private let loop: EventLoop
    private let descriptor: Descriptor
    private let blocked: sigset_t
    private var watch: EventLoop.Watch?

    /// Calls the handler on the loop with the number of each signal that came.
    package init(
        _ signals: [Int32], on loop: EventLoop, handler: @escaping (Int32) -> Void
    ) throws(SystemError) {
        var set = signalSet(signals)
        descriptor = Descriptor(
            owning: try retrying("watch signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
        self.loop = loop
        blocked = set
        watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in
            while let signal = self?.next() { handler(signal) }
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Nil after the end as well, which the handler of an earlier signal may have been.
    private func next() -> Int32? {
        guard watch != nil else { return nil }
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor.rawValue, &information, size) == size ? Int32(information.ssi_signo) : nil
    }

    /// Gives the signals back their dispositions in the calling thread; called on the loop.
    ///
    /// Those that wait are dropped: whoever ends at the first of two is not to be killed by the second on the way.
    package func end() {
        guard let watch else { return }
        while next() != nil {}
        loop.unwatch(watch)
        self.watch = nil
        var set = blocked
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

/// Blocks the signals while the body runs. Those that came meanwhile take effect afterwards.
///
/// For programs of one thread: another thread that has them unblocked would get them.
package func holdingBack<Result>(_ signals: [Int32], _ body: () throws -> Result) rethrows -> Result {
    var held = signalSet(signals)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}

private func signalSet(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}
