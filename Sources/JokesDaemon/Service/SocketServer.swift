import Glibc
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// The socket of the daemon and its clients.
@ServiceActor
final class SocketServer {
    let service: VarlinkService
    private let options: DaemonOptions
    private let log: Log

    init(_ options: DaemonOptions, _ interface: VarlinkInterface, log: Log, on loop: EventLoop) throws {
        self.options = options
        self.log = log
        service = VarlinkService(
            .init(vendor: "jokesd", product: "jokesd", version: jokesdVersion, url: ""),
            interfaces: [interface], limits: Self.limits(), on: VarlinkLoop(loop),
            busy: ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "too many clients are connected")),
            explain: JokesService.explain, log: { [peers = PeerLog(log)] in peers.log($0) })
    }

    /// Descriptors for the database, the network and the loops.
    private static let ownDescriptors = 48

    /// The limits for clients. If there are few descriptors, fewer clients can connect.
    private static func limits() -> ServiceLimits {
        var limits = ServiceLimits()
        let wanted = limits.connections + limits.refusals + ownDescriptors
        let forClients = max(0, raiseDescriptorLimit(to: wanted) - ownDescriptors)
        limits.refusals = min(limits.refusals, forClients / 4)
        limits.connections = max(1, min(limits.connections, forClients - limits.refusals))
        limits.streams = min(limits.streams, limits.connections - min(4, limits.connections / 4))
        return limits
    }

    private static let elsewhere =
        "To use another socket: jokesd --socket PATH. Then use: jokesctl --socket PATH"

    /// Accepts clients: at the sockets of the service manager, or at the path of the options.
    ///
    /// - Throws: `DaemonFailure`.
    func listen() throws {
        let passed = PassedSocket.takeAll()
        for socket in passed { try service.serve(socket) }
        guard passed.isEmpty else { return }
        let path = SocketPath.ofDaemon(option: options.socketPath, environment: environment)
        do {
            let address = try VarlinkAddress(path)
            if !address.place.hasPrefix("@") { try makeFolder(parentFolder(of: address.place), mode: 0o700) }
            try service.listen(at: path)
            log.info("listening on \(path)")
        } catch let error as SystemError {
            throw DaemonFailure(
                sentence: error.description, hint: Self.elsewhere,
                status: DaemonFailure.cannotCreate)
        } catch VarlinkError.invalidAddress(_, let reason) {
            throw DaemonFailure(
                sentence: "cannot listen on \(path): \(reason)",
                hint: "Use a path, 'unix:PATH;mode=0660' or unix:@NAME.",
                status: DaemonFailure.usage)
        } catch VarlinkError.unreachable(let place, let reason, let code) {
            let client = "jokesctl" + (options.socketPath == nil ? "" : " --socket \(shellWord(place))")
            let question = code == EADDRINUSE ? "Is jokesd already running? Try: \(client) status\n" : ""
            throw DaemonFailure(
                sentence: "cannot listen on \(path): \(reason)",
                hint: question + Self.elsewhere, status: DaemonFailure.unavailable)
        }
    }

    /// Closes all connections and the socket.
    func stop() {
        service.stop()
    }
}
