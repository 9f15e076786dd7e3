import Glibc
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// The last words of a daemon that cannot start.
///
/// Where the service manager holds the socket, clients wait at it already. Each is told what keeps the daemon from
/// serving it, as the answer to its first call. If they were left waiting, the manager would start the daemon again at
/// once, over and over, until it gives up the socket too.
enum FailedStart {
    /// How long it stays once somebody is there. Whoever comes meanwhile costs no start of their own, and a service manager
    /// counts them.
    private static let stay = Duration.seconds(2)
    /// Of a configuration full of mistakes the first are enough to go on with.
    private static let longestReason = 10
    private static let mostClients = 1024
    /// Descriptors that are its own.
    private static let ownDescriptors = 16

    /// Tells everybody who waits, and who comes while it does, on the calling thread; returns at once where nobody waits.
    static func tell(_ failure: DaemonFailure) {
        Notifier().status("cannot start: \(failure.sentence)")
        let sockets = PassedSocket.takeAll().filter { (try? StreamSocket.listens($0.descriptor)) == true }
        guard sockets.contains(where: hasCaller), let loop = try? EventLoop() else { return }
        let service = service(on: loop, answering: ErrorReply(JokesError(failure, lines: longestReason)))
        for socket in sockets { try? service.serve(socket) }
        _ = loop.schedule(at: .now.advanced(by: stay)) { loop.stop() }
        loop.run()
        service.stop()
    }

    /// Serves nobody: each connection is one too many, and gets the reply to its first call.
    private static func service(on loop: EventLoop, answering reply: ErrorReply) -> VarlinkService {
        let descriptors = raiseDescriptorLimit(to: mostClients + ownDescriptors)
        var limits = ServiceLimits()
        limits.connections = 0
        limits.refusals = max(1, min(mostClients, descriptors - ownDescriptors))
        return VarlinkService(
            .init(vendor: "jokesd", product: "jokesd", version: jokesdVersion, url: ""), interfaces: [],
            limits: limits, on: VarlinkLoop(loop), busy: reply, explain: { _ in reply })
    }

    /// Whether somebody waits to be accepted there.
    private static func hasCaller(_ socket: PassedSocket) -> Bool {
        (try? StreamSocket.wait(for: socket.descriptor, events: POLLIN, until: .now)) ?? false
    }
}

extension JokesError {
    /// A failure as clients are told of it: its first line is the reason, and the hint has the others.
    fileprivate init(_ failure: DaemonFailure, lines limit: Int) {
        let lines = failure.sentence.split(separator: "\n").map(String.init)
        let others = lines.dropFirst().prefix(limit) + (lines.count > limit + 1 ? ["…"] : [])
        let hint = (others + [failure.hint].compactMap(\.self)).joined(separator: "\n")
        self = .cannotStart(reason: lines.first ?? failure.sentence, hint: hint.isEmpty ? nil : hint)
    }
}
