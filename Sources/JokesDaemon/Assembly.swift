import Glibc
import JokesCore
import JokesStore
import Unix

/// Creates the parts of the daemon, each on its thread. Owns the lock of the state folder and the signal handlers.
final class Assembly {
    let configuration: Configuration
    let origin: String
    let log: Log
    /// The loop of `ServiceActor`, on the main thread.
    let serviceLoop: EventLoop
    let store: JokeStore
    let worker: SyncWorker
    let signals: Signals
    let notifier: Notifier
    /// Nil if no service manager waits for the start.
    let startTimeout: StartTimeoutExtension?
    private let lock: StateLock

    init(_ options: DaemonOptions) throws {
        (configuration, origin) = try JokesDaemon.loadConfiguration(options)
        log = Log(level: options.logLevel)
        log.debug("configuration: \(origin)")
        let folder = try StateFolder.prepare(options)
        lock = try StateFolder.lock(folder, for: options.task)
        serviceLoop = try ServiceActor.loop()
        let (storeLoop, networkLoop) = (try EventLoop(), try EventLoop())
        // Blocks the signals in this thread and in those that it starts from here on.
        signals = try Signals(on: serviceLoop)
        try networkLoop.start(name: "jokesd-network")
        notifier = options.task == .serve ? Notifier() : Notifier(address: nil)
        startTimeout = StartTimeoutExtension(notifier, on: networkLoop)
        store = try JokeStore(folder: folder, executor: storeLoop, rules: configuration.displayRules, lock: lock)
        if let recovery = store.recovery { log.error(recovery.inWords) }
        if let refusal = store.writeErrorAtOpening {
            log.error("\(refusal.reason): serving cached jokes, storing no changes")
            if let hint = refusal.hint { log.error(hint) }
        }
        worker = SyncWorker(loop: networkLoop, store: store, network: configuration.network)
        try storeLoop.start(name: "jokesd-store")
    }
}

/// The signals that stop the daemon or reload its configuration, as events of its loop.
///
/// Created before other threads start, so that all threads block the signals. They wait in the kernel until the loop runs.
final class Signals {
    enum Request { case stop, reload }

    var handler: (Request) -> Void = { _ in }
    private var watch: SignalWatch?

    fileprivate init(on loop: EventLoop) throws(SystemError) {
        watch = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { [unowned self] signal in
            handler(signal == SIGHUP ? .reload : .stop)
        }
    }
}

/// The folder of the database and the journal.
private enum StateFolder {
    private static let otherFolder = "Use another folder: jokesd --state-dir DIR"

    /// Returns the folder of `--state-dir`, of systemd, or of the user. Creates it if it is missing.
    static func prepare(_ options: DaemonOptions) throws(DaemonFailure) -> String {
        guard let path = options.stateFolder ?? inherited ?? personal else {
            throw DaemonFailure(
                .usage, "no state folder: neither $STATE_DIRECTORY nor $HOME is set",
                hint: "Name one: jokesd --state-dir DIR")
        }
        do {
            try makeFolder(path, mode: 0o700)
            return path
        } catch {
            throw DaemonFailure(.cannotCreate, error.description, hint: otherFolder)
        }
    }

    /// systemd names several folders with colons between them; ours is the first.
    private static var inherited: String? {
        environment("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    }

    private static var personal: String? {
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return "\(folder)/jokesd" }
        return environment("HOME").map { "\($0)/.local/state/jokesd" }
    }

    static func lock(_ folder: String, for task: DaemonOptions.Task) throws(DaemonFailure) -> StateLock {
        do {
            return try StateLock(at: "\(folder)/lock")
        } catch {
            switch error {
            case .held(let holder):
                let process = holder.map { " by process \($0)" } ?? ""
                let way =
                    task == .syncOnce
                    ? "To sync with the running daemon: jokesctl refresh"
                    : "To start a second one: jokesd --state-dir DIR --socket PATH"
                throw DaemonFailure(
                    .tryLater, "state folder \(folder) is in use\(process)",
                    hint: "Another jokesd uses this folder. \(way)")
            case .system(let error): throw DaemonFailure(.cannotCreate, error.description, hint: otherFolder)
            }
        }
    }
}
