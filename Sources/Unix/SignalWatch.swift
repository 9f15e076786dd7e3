import CLinux
import Glibc

/// Signals of the process as events of a loop, until `end`.
///
/// The signals are blocked in the calling thread and in its later threads. Create this object before other threads,
/// because a thread without the block would receive the signals.
package final class SignalWatch {
    private let loop: EventLoop
    private let descriptor: Descriptor
    private let blocked: sigset_t
    private var watch: EventLoop.Watch?
    /// Called on the loop with the number of each signal.
    package var handler: (Int32) -> Void

    /// A signal stays pending in the kernel until the loop runs.
    package init(
        _ signals: [Int32], on loop: EventLoop, handler: @escaping (Int32) -> Void = { _ in }
    ) throws(SystemError) {
        self.handler = handler
        var set = signalSet(signals)
        descriptor = Descriptor(
            owning: try retrying("watch signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
        self.loop = loop
        blocked = set
        watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in
            while let self, let signal = self.next() { self.handler(signal) }
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Nil after `end`, which an earlier handler may have called.
    private func next() -> Int32? {
        guard watch != nil else { return nil }
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor.rawValue, &information, size) == size ? Int32(information.ssi_signo) : nil
    }

    /// Unblocks the signals in the calling thread. Call it on the loop.
    ///
    /// Drops pending signals, so that a second one does not kill a process that is already stopping.
    package func end() {
        guard watch != nil else { return }
        while next() != nil {}
        loop.unwatch(&watch)
        var set = blocked
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

/// Blocks the signals while the body runs. They take effect after it.
///
/// For programs with one thread: another thread without the block would receive them.
package func blockingSignals<Result>(_ signals: [Int32], _ body: () throws -> Result) rethrows -> Result {
    var held = signalSet(signals)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}

func signalSet(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}
