import Glibc
import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The daemon as a service: it listens, and follows signals and the service manager, until it is told to stop.
actor Server {
    private nonisolated let loop: EventLoop
    private let options: DaemonOptions
    private let daemon: Daemon
    private let service: VarlinkService
    private let notifier: Notifier
    private let startTimeout: StartTimeoutExtension?
    private let log: Log
    private var failure: (any Error)?
    private var isServing = false
    private var isStopping = false
    private var isReloading = false
    private var wantsReload = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Serves on the calling thread until a signal says to stop.
    static func run(_ options: DaemonOptions, _ assembly: Assembly) throws {
        let parts = assembly.parts
        let server = try Server(options, parts, assembly.startTimeout)
        assembly.signals.handle { wish in
            server.assumeIsolated { $0.follow(wish) }
        }
        server.assumeIsolated { $0.begin(parts.configuration) }
        parts.serviceLoop.run()
        if let failure = server.assumeIsolated({ $0.failure }) { throw failure }
    }

    private init(_ options: DaemonOptions, _ parts: Parts, _ startTimeout: StartTimeoutExtension?) throws {
        self.options = options
        self.startTimeout = startTimeout
        loop = parts.serviceLoop
        log = parts.log
        let notifier = Notifier()
        self.notifier = notifier
        daemon = try Daemon(of: parts, notifier: notifier)
        service = VarlinkService(
            .init(vendor: "jokesd", product: "jokesd", version: jokesdVersion, url: ""),
            interfaces: [try JokesService.interface(of: daemon)], limits: Self.limits(),
            on: VarlinkLoop(parts.serviceLoop),
            busy: ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "too many clients are connected")),
            explain: JokesService.explain, log: { [peers = PeerLog(log)] in peers.tell($0) })
        daemon.assumeIsolated { [service] in $0.service = service }
    }

    /// Descriptors that are the daemon's own: the database, the network, the loops.
    private static let ownDescriptors = 48

    /// What clients may take. Where the system gives few descriptors, they leave the daemon's own to it.
    private static func limits() -> ServiceLimits {
        var limits = ServiceLimits()
        let wanted = limits.connections + limits.refusals + ownDescriptors
        let forClients = max(0, raiseDescriptorLimit(to: wanted) - ownDescriptors)
        limits.refusals = min(limits.refusals, forClients / 4)
        limits.connections = max(1, min(limits.connections, forClients - limits.refusals))
        limits.streams = min(limits.streams, limits.connections - min(4, limits.connections / 4))
        return limits
    }

    /// Reads the state, and only then listens: the first client finds everything there.
    private func begin(_ configuration: Configuration) {
        Task {
            do {
                try await daemon.adopt(configuration)
                if isStopping { return }
                try listen()
                startTimeout?.end()
                notifier.ready(status: await daemon.statusLine)
                isServing = true
                if isStopping { return }
                await daemon.startDueSyncs()
                watchdog()
                if wantsReload { reload() }
            } catch let error as StoreError {
                failure = DaemonFailure(error)
                loop.stop()
            } catch {
                failure = error
                loop.stop()
            }
        }
    }

    private static let elsewhere =
        "To use another socket: jokesd --socket PATH. Then use: jokesctl --socket PATH"

    private func listen() throws {
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

    /// Tells the manager at half its interval that this loop still turns; does nothing where none watches.
    private func watchdog() {
        guard let interval = ServiceManager.watchdogInterval else { return }
        notifier.alive()
        loop.schedule(at: .now.advanced(by: interval / 2)) { [weak self] in
            self?.assumeIsolated { $0.watchdog() }
        }
    }

    // MARK: Signals

    private func follow(_ wish: Signals.Wish) {
        switch wish {
        case .stop: stop()
        case .reload: reload()
        }
    }

    /// Ends cleanly, but within a second: what a sync has not stored by then is fetched again.
    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        service.stop()
        loop.schedule(at: .now.advanced(by: .milliseconds(700))) { [loop] in loop.stop() }
        // Waiting for tasks is no actor's, and so for the loop to do.
        Task(executorPreference: loop) { await self.finish() }
    }

    private func finish() async {
        await daemon.stopSyncs()
        await daemon.stopTidying()
        await daemon.finishRecording()
        // If the files of the database were removed, their data goes with this process.
        await daemon.attemptWriting { try $0.restoreFiles() }
        loop.stop()
    }

    /// A bad configuration is said, and the old one stays. One reload at a time; wishes that come meanwhile are one.
    /// A reload ends with READY=1, so it waits until clients can connect.
    private func reload() {
        wantsReload = true
        guard isServing, !isStopping, !isReloading else { return }
        isReloading = true
        Task {
            while wantsReload && !isStopping {
                wantsReload = false
                notifier.reloading()
                await adoptAnew()
                if !isStopping { notifier.ready(status: await daemon.statusLine) }
            }
            isReloading = false
        }
    }

    private func adoptAnew() async {
        do {
            let loaded = try JokesDaemon.loadConfiguration(options)
            try await daemon.adopt(loaded.configuration)
            if isStopping { return }
            await daemon.hasRead(loaded.origin)
            await daemon.startDueSyncs()
            log.info("configuration reloaded: \(loaded.origin)")
        } catch let error as DaemonFailure {
            await daemon.hasRefused(error.sentence)
            log.error(error.sentence)
            log.error("keeping the previous configuration")
        } catch {
            await daemon.hasRefused("\(error)")
            log.error("cannot apply the new configuration: \(error)")
        }
    }
}
