import Glibc
import JokesCore
import JokesProtocol
import Synchronization
import Unix
import Varlink

/// The last words of a daemon that cannot start.
///
/// Where the service manager holds the socket, clients wait at it already. Each is told what keeps the daemon from
/// serving it, as the answer to its first call. If they were left waiting, the manager would start the daemon again at
/// once, over and over, until it gives up the socket too.
final class FailedStart: Sendable {
    /// How long all of them together may take to call.
    private static let patience = Duration.seconds(1)
    /// Of a configuration full of mistakes the first are enough to go on with.
    private static let longestReason = 10

    private let loop: EventLoop
    private let sockets: [PassedSocket]
    /// The clients that are connected and were not answered yet.
    private let connected = Mutex(0)

    /// Tells everybody who waits, on the calling thread; returns when they are told, at once where nobody waits.
    static func tell(_ failure: DaemonFailure) {
        Notifier().status("cannot start: \(failure.sentence)")
        let sockets = PassedSocket.takeAll().filter { (try? StreamSocket.listens($0.descriptor)) == true }
        guard sockets.contains(where: hasCaller), let loop = try? EventLoop() else { return }
        FailedStart(loop, sockets).tell(ErrorReply(JokesError(failure, lines: longestReason)))
    }

    private init(_ loop: EventLoop, _ sockets: [PassedSocket]) {
        self.loop = loop
        self.sockets = sockets
    }

    /// Serves nobody: each connection is one too many, and gets the reply to its first call.
    private func tell(_ reply: ErrorReply) {
        var limits = ServiceLimits()
        limits.connections = 0
        limits.refusals = 1024
        let service = VarlinkService(
            .init(vendor: "jokesd", product: "jokesd", version: jokesdVersion, url: ""), interfaces: [],
            limits: limits, on: VarlinkLoop(loop), busy: reply, explain: { _ in reply }, log: { self.follow($0) })
        for socket in sockets { try? service.serve(socket) }
        _ = loop.schedule(at: .now.advanced(by: Self.patience)) { [loop] in loop.stop() }
        loop.run()
        service.stop()
    }

    private func follow(_ event: ServiceEvent) {
        switch event {
        case .refused: connected.withLock { $0 += 1 }
        case .disconnected, .malformed, .overrun: connected.withLock { $0 -= 1 }
        default: return
        }
        loop.atEndOfTurn { [self] in
            if connected.withLock({ $0 == 0 }), !sockets.contains(where: Self.hasCaller) { loop.stop() }
        }
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
