import CLinux
import Glibc

/// Does something with the signals held back: what came of them meanwhile takes effect when it is done.
///
/// For programs of one thread: another one that has them unblocked would get them.
package func holdingBack<Result>(_ signals: [Int32], _ body: () throws -> Result) rethrows -> Result {
    var held = signalSet(signals)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}

/// Signals that are held back and read as they come, until `end`. For programs of one thread, as `holdingBack`.
final class HeldSignals {
    /// Can be read from when a signal has come.
    let descriptor: Descriptor
    private var held: sigset_t
    private var before = sigset_t()

    init(_ signals: [Int32]) throws(SystemError) {
        var set = signalSet(signals)
        descriptor = Descriptor(
            owning: try retrying("watch signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
        held = set
        pthread_sigmask(SIG_BLOCK, &held, &before)
    }

    /// Those that were not read take effect.
    func end() {
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The number of one that came; nil where none is there.
    func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor.rawValue, &information, size) == size ? Int32(information.ssi_signo) : nil
    }

    /// Has a signal do what it would have done: end the process, stop it until it goes on, or nothing.
    func deliver(_ signal: Int32) {
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        pthread_sigmask(SIG_BLOCK, &held, nil)
    }
}

private func signalSet(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}
