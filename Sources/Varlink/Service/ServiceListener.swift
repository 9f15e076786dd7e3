import Glibc
import Unix

/// Accepts the connections of a listening socket.
///
/// If the process is out of descriptors or memory, it pauses until a client leaves or a second has passed, because the
/// socket stays readable. The beginning and the end of such a pause are logged.
final class ServiceListener {
    private static let acceptedPerTurn = 128

    private let service: VarlinkService
    private let descriptor: Int32
    /// Owns `descriptor`; nil if closed.
    private var socket: ListeningSocket?
    private var watch: EventLoop.Watch?
    private var alarm: TimerQueue.Token?
    /// True if the last connection could not be accepted.
    private var isStarved = false

    init(_ socket: consuming ListeningSocket, of service: VarlinkService) throws(SystemError) {
        self.service = service
        descriptor = socket.rawValue
        self.socket = consume socket
        watch = try service.loop.watch(descriptor, for: .readable) { _ in self.accept() }
    }

    func close() {
        service.loop.unwatch(&watch)
        service.loop.cancel(&alarm)
        socket = nil
    }

    private func accept() {
        do throws(SystemError) {
            for _ in 0..<Self.acceptedPerTurn where alarm == nil {
                let connection = try StreamSocket.accept(from: descriptor)
                if isStarved { service.log(.acceptingResumed) }
                isStarved = false
                guard let connection else { return }
                try service.welcome(connection)
            }
        } catch {
            pause(error)
        }
    }

    private func pause(_ error: SystemError) {
        guard let watch, alarm == nil else { return }
        service.loop.change(watch, to: [])
        alarm = service.loop.schedule(at: .now.advanced(by: .seconds(1))) { self.resume() }
        if !isStarved { service.log(.acceptingPaused(reason: error.reason)) }
        isStarved = true
    }

    /// Ends a pause, if there is one.
    func resume() {
        guard let watch, alarm != nil else { return }
        service.loop.cancel(&alarm)
        service.loop.change(watch, to: .readable)
    }
}
