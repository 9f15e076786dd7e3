import Glibc
import JokesProtocol
import Unix
import Varlink

/// Replies to clients that wait at the socket of a daemon that cannot start.
///
/// If the service manager owns the socket, clients may wait there already. Each gets the reason as the reply to its first
/// call. Otherwise the manager would start the daemon again and again, and at last give up the socket too.
enum FailedStart {
    /// The time for more clients to arrive. Each of them would cause another start, and the service manager limits those.
    private static let stay = Duration.seconds(2)
    private static let maxClients = 1024
    /// Descriptors that are not for clients.
    private static let ownDescriptors = 16

    /// Replies to the clients that wait, and to those that arrive meanwhile. Returns at once if none waits.
    static func reply(with failure: DaemonFailure) {
        Notifier().status("cannot start: \(failure.sentence)")
        let sockets = PassedSocket.takeAll().filter { (try? StreamSocket.listens($0.descriptor)) == true }
        guard sockets.contains(where: hasClient), let loop = try? EventLoop() else { return }
        let descriptors = raiseDescriptorLimit(to: maxClients + ownDescriptors)
        // Without room for connections, each gets the reply to its first call.
        var limits = ServiceLimits()
        limits.connections = 0
        limits.refusals = max(1, min(maxClients, descriptors - ownDescriptors))
        let reply = ErrorReply(JokesError(failure))
        let service = VarlinkService(
            .jokesd, interfaces: [], limits: limits, on: VarlinkLoop(loop), busy: reply, explain: { _ in reply })
        for socket in sockets { try? service.serve(socket) }
        _ = loop.schedule(at: .now.advanced(by: stay)) { loop.stop() }
        loop.run()
        service.stop()
    }

    private static func hasClient(_ socket: PassedSocket) -> Bool {
        (try? StreamSocket.wait(for: socket.descriptor, events: POLLIN, until: .now)) ?? false
    }
}

extension JokesError {
    /// The failure for clients: its first line is the reason, and the hint has up to ten others.
    fileprivate init(_ failure: DaemonFailure) {
        let lines = failure.sentence.split(separator: "\n").map(String.init)
        let others = lines.dropFirst().prefix(10) + (lines.count > 11 ? ["…"] : [])
        let hint = (others + [failure.hint].compactMap(\.self)).joined(separator: "\n")
        self = .cannotStart(reason: lines.first ?? failure.sentence, hint: hint.isEmpty ? nil : hint)
    }
}
