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
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let descriptor = Descriptor(
            owning: try retrying("watch signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
        let raw = descriptor.rawValue
        watch = try loop.watch(raw, for: .readable) { _ in
            while let signal = nextSignal(from: raw) { handler(signal) }
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        self.loop = loop
        self.descriptor = descriptor
        blocked = set
    }

    /// Gives the signals back their dispositions in the calling thread; called on the loop.
    package func end() {
        guard let watch else { return }
        loop.unwatch(watch)
        self.watch = nil
        var set = blocked
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

private func nextSignal(from descriptor: Int32) -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(descriptor, &information, size) == size ? Int32(information.ssi_signo) : nil
}
