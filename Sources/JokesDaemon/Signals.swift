import Glibc
import Unix

/// The signals that stop the daemon or reload its configuration, as events of its loop.
///
/// Created before other threads start, so that all threads block the signals. A signal before `handle` waits in the kernel.
final class Signals {
    enum Request {
        case stop, reload
    }

    private final class Handler {
        var body: (Request) -> Void = { _ in }
    }

    private let handler = Handler()
    private let watch: SignalWatch

    init(on loop: EventLoop) throws(SystemError) {
        watch = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { [handler] signal in
            handler.body(signal == SIGHUP ? .reload : .stop)
        }
    }

    /// Calls the body on the loop for each signal.
    func handle(_ body: @escaping (Request) -> Void) {
        handler.body = body
    }
}
