import Glibc
import JokesCore
import JokesProtocol
import Unix
import Varlink

extension VarlinkService {
    /// Creates the service of the daemon, which accepts no clients before `listen`.
    @ServiceActor
    convenience init(_ interface: VarlinkInterface, log: Log, on loop: EventLoop) {
        self.init(
            .jokesd, interfaces: [interface], limits: .ofDaemon(), on: VarlinkLoop(loop),
            busy: ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "too many clients are connected")),
            explain: JokesService.errorReply(for:), log: log.event)
    }

    /// Accepts clients at the sockets that the service manager has passed. Without any, accepts clients at the
    /// configured path.
    func listen(_ options: DaemonOptions, log: Log) throws {
        let passed = PassedSocket.takeAll()
        for socket in passed { try serve(socket) }
        guard passed.isEmpty else { return }
        let path = SocketPath.ofDaemon(option: options.socketPath, environment: environment)
        let otherSocketHint =
            options.socketPath == nil
            ? "To use another socket for jokesd and jokesctl: export JOKESD_SOCKET=~/jokesd.sock"
            : "To use another socket: jokesd --socket PATH. Then use: jokesctl --socket PATH"
        do {
            let address = try VarlinkAddress(path)
            if !address.path.hasPrefix("@") { try makeFolder(parentFolder(of: address.path), mode: 0o700) }
            try listen(at: path)
            log.info("listening on \(path)")
        } catch let error as SystemError {
            throw DaemonFailure(.cannotCreate, error.description, hint: otherSocketHint)
        } catch VarlinkError.invalidAddress(_, let reason) {
            throw DaemonFailure(
                .usage, "cannot listen on \(path): \(reason)",
                hint: "Use a path, 'unix:PATH;mode=0660' or unix:@NAME.")
        } catch VarlinkError.unreachable(let address, let reason, let code) {
            let client = "jokesctl" + (options.socketPath == nil ? "" : " --socket \(shellWord(address))")
            let runningHint = code == EADDRINUSE ? "Is jokesd already running? Try: \(client) status\n" : ""
            throw DaemonFailure(
                .unavailable, "cannot listen on \(path): \(reason)", hint: runningHint + otherSocketHint)
        }
    }
}

extension Log {
    /// Writes an event of the service. What a single client does has level `debug`, so that no client can fill the log.
    fileprivate func event(_ event: ServiceEvent) {
        switch event {
        case .failed, .acceptingPaused: warning(event.description)
        case .acceptingResumed: info(event.description)
        default: debug(event.description)
        }
    }
}

extension ServiceInformation {
    static let jokesd = Self(vendor: "jokesd", product: "jokesd", version: jokesdVersion, url: "man:jokesd(8)")
}

extension ServiceLimits {
    /// The number of descriptors for the database, the network and the loops.
    private static let ownDescriptors = 48

    /// Returns the limits for clients. A low limit of file descriptors lowers these limits.
    fileprivate static func ofDaemon() -> ServiceLimits {
        var limits = ServiceLimits()
        let descriptors = raiseDescriptorLimit(to: limits.connections + ownDescriptors)
        limits.connections = max(1, min(limits.connections, descriptors - ownDescriptors))
        limits.connectionsPerUser = min(
            limits.connectionsPerUser, limits.connections - min(8, limits.connections / 8))
        limits.streams = min(limits.streams, limits.connectionsPerUser - min(4, limits.connectionsPerUser / 4))
        return limits
    }
}
