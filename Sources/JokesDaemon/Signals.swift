import Glibc
import Unix

/// The signals that steer the daemon, as events of its loop.
///
/// Made before any other thread starts, so that all of them have the signals blocked; what comes before there is a
/// handler waits in the kernel.
final class Signals {
    enum Wish {
        case stop, reload
    }

    private final class Handler {
        var body: (Wish) -> Void = { _ in }
    }

    private let handler = Handler()
    private let watch: SignalWatch

    init(on loop: EventLoop) throws(SystemError) {
        watch = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { [handler] signal in
            handler.body(signal == SIGHUP ? .reload : .stop)
        }
    }

    /// Calls the body on the loop for each signal.
    func handle(_ body: @escaping (Wish) -> Void) {
        handler.body = body
    }
}
