import Glibc
import Unix

/// Accepts the connections of one listening socket.
///
/// Out of descriptors or memory, it stops asking until a client leaves or a second has passed: the socket stays
/// readable meanwhile, and asking on would spin. The log is told when that begins, and when it is over.
final class ServiceListener {
    private static let acceptedPerTurn = 128
    private static let pause = Duration.seconds(1)

    private let service: VarlinkService
    private let descriptor: Int32
    /// Nil when closed; the owner of `descriptor`.
    private var socket: ListeningSocket?
    private var watch: EventLoop.Watch?
    private var alarm: TimerQueue.Token?
    /// From the first connection that could not be accepted to the next that is.
    private var isStarved = false

    init(_ socket: consuming ListeningSocket, of service: VarlinkService) throws(SystemError) {
        self.service = service
        descriptor = socket.rawValue
        self.socket = consume socket
        watch = try service.loop.watch(descriptor, for: .readable) { _ in self.accept() }
    }

    func close() {
        if let watch { service.loop.unwatch(watch) }
        if let alarm { service.loop.cancel(alarm) }
        watch = nil
        alarm = nil
        socket = nil
    }

    private var isPaused: Bool { alarm != nil }

    private func accept() {
        do throws(SystemError) {
            for _ in 0..<Self.acceptedPerTurn {
                guard !isPaused else { return }
                let connection = try StreamSocket.accept(from: descriptor)
                tellOfEnd()
                guard let connection else { return }
                try service.welcome(connection)
            }
        } catch {
            pauseAccepting(error)
        }
    }

    private func pauseAccepting(_ error: SystemError) {
        guard let watch, !isPaused else { return }
        // Cannot fail: the descriptor is watched, and less interest needs no memory.
        try? service.loop.change(watch, to: [])
        alarm = service.loop.schedule(at: .now.advanced(by: Self.pause)) { self.resume() }
        if !isStarved { service.log(.acceptingPaused(reason: error.reason)) }
        isStarved = true
    }

    private func tellOfEnd() {
        if isStarved { service.log(.acceptingResumed) }
        isStarved = false
    }

    /// Accepts again after a pause; does nothing otherwise.
    func resume() {
        guard let watch, let alarm else { return }
        service.loop.cancel(alarm)
        self.alarm = nil
        try? service.loop.change(watch, to: .readable)
    }
}
