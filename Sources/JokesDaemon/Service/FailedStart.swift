import Glibc
import JokesProtocol
import Unix
import Varlink

/// Replies to clients that wait at the socket of a daemon that cannot start.
///
/// If the service manager owns the socket, clients may already wait there. Each client gets the reason, and takes it as
/// the reply to its first call. A waiting client without a reply would make the manager start the daemon again. After the
/// start limit, the manager would close the socket.
enum FailedStart {
    /// The time for more clients to arrive. Each later client causes another start, and the service manager limits
    /// starts.
    private static let gracePeriod = Duration.seconds(2)

    /// Replies to the waiting clients, and to clients that arrive during the grace period. Returns immediately if no
    /// client waits.
    static func reply(with failure: DaemonFailure) {
        Notifier().status("cannot start: \(failure.message)")
        let sockets = PassedSocket.takeAll().filter { (try? StreamSocket.listens($0.descriptor)) == true }
        guard sockets.contains(where: hasClient), let loop = try? EventLoop() else { return }
        // With a limit of 0, the service refuses every connection with the argument `busy`.
        var limits = ServiceLimits()
        limits.connections = 0
        let reply = ErrorReply(JokesError(failure))
        let service = VarlinkService(
            .jokesd, interfaces: [], limits: limits, on: VarlinkLoop(loop), busy: reply, explain: { _ in reply })
        for socket in sockets { try? service.serve(socket) }
        loop.schedule(at: .now.advanced(by: gracePeriod)) { loop.stop() }
        loop.run()
        service.stop()
    }

    private static func hasClient(_ socket: PassedSocket) -> Bool {
        (try? StreamSocket.wait(for: socket.descriptor, events: POLLIN, until: .now)) ?? false
    }
}

extension JokesError {
    /// Creates the error for clients. The first line of the message is the reason.
    ///
    /// The hint has up to ten further lines of the message, and the hint of the failure.
    fileprivate init(_ failure: DaemonFailure) {
        let lines = failure.message.split(separator: "\n").map(String.init)
        let others = lines.dropFirst().prefix(10) + (lines.count > 11 ? ["…"] : [])
        let hint = (others + [failure.hint].compactMap(\.self)).joined(separator: "\n")
        self = .cannotStart(reason: lines.first ?? failure.message, hint: hint.isEmpty ? nil : hint)
    }
}
