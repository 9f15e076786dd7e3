import Glibc
import Unix

/// The signals of the daemon, as events of its loop: SIGTERM and SIGINT stop, SIGHUP reloads the configuration.
///
/// To handle another signal, such as SIGUSR1, add the signal to `watch`, a case to `Request`, and both to the closure
/// in `init`. `JokesDaemon.serve` passes requests to `Daemon`. `SyncOnceRun` stops on every signal.
///
/// Create this object before other threads start, because threads inherit the blocked signals (signalfd(2)). A signal
/// stays pending in the kernel until the loop runs.
final class Signals {
    enum Request { case stop, reload }

    /// Called on the loop for each signal.
    var handler: (Request) -> Void = { _ in }
    private var watch: SignalWatch?

    init(on loop: EventLoop) throws(SystemError) {
        watch = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { [unowned self] signal in
            handler(signal == SIGHUP ? .reload : .stop)
        }
    }
}
