import HTTP
import JokesCore
import JokesStore
import Unix

/// The parts of the daemon, each on its thread.
struct Parts: Sendable {
    let configuration: Configuration
    let reading: ConfigurationReading
    let log: Log
    /// The loop of `ServiceActor`, on the main thread.
    let serviceLoop: EventLoop
    let store: JokeStore
    let worker: SyncWorker
}

/// Creates the parts, and owns the lock of the state folder and the signal handlers.
final class Assembly {
    let parts: Parts
    let signals: Signals
    /// Nil if no service manager waits for the start.
    let startTimeout: StartTimeoutExtension?
    private let lock: StateLock

    /// - Throws: `DaemonFailure` if the configuration or the state cannot be used.
    init(_ options: DaemonOptions) throws {
        let loaded = try JokesDaemon.loadConfiguration(options)
        let configuration = loaded.configuration
        let log = Log(level: options.logLevel)
        log.debug("configuration: \(loaded.origin)")
        let folder = try StateFolder.prepare(options)
        lock = try StateFolder.lock(folder, for: options.task)
        let (serviceLoop, storeLoop, networkLoop) = (try ServiceActor.loop(), try EventLoop(), try EventLoop())
        // Blocks the signals in this thread and in those that it starts from here on.
        signals = try Signals(on: serviceLoop)
        try networkLoop.start(name: "jokesd-network")
        startTimeout = options.task == .serve ? StartTimeoutExtension(on: networkLoop) : nil
        let store = try StateFolder.open(folder, lock, on: storeLoop, rules: configuration.showingRules)
        if let recovery = store.recovery { log.error(recovery.inWords) }
        if let refusal = store.refusalAtOpening {
            log.error("\(refusal.reason): serving cached jokes, storing no changes")
            if let hint = refusal.hint { log.error(hint) }
        }
        let worker = SyncWorker(loop: networkLoop, store: store, network: configuration.network)
        parts = Parts(
            configuration: configuration,
            reading: ConfigurationReading(option: options.configurationPath, origin: loaded.origin), log: log,
            serviceLoop: serviceLoop, store: store, worker: worker)
        try storeLoop.start(name: "jokesd-store")
    }
}

/// The folder of the database and the journal.
enum StateFolder {
    private static let otherFolder = "Use another folder: jokesd --state-dir DIR"

    /// Returns the folder of `--state-dir`, of systemd, or of the user. Creates it if it is missing.
    static func prepare(_ options: DaemonOptions) throws -> String {
        guard let path = options.stateFolder ?? inherited ?? personal else {
            throw DaemonFailure(
                sentence: "no state folder: neither $STATE_DIRECTORY nor $HOME is set",
                hint: "Name one: jokesd --state-dir DIR", status: DaemonFailure.usage)
        }
        do {
            try makeFolder(path, mode: 0o700)
        } catch {
            throw DaemonFailure(
                sentence: error.description, hint: otherFolder, status: DaemonFailure.cannotCreate)
        }
        return path
    }

    /// systemd names several folders with colons between them; ours is the first.
    private static var inherited: String? {
        environment("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    }

    private static var personal: String? {
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return "\(folder)/jokesd" }
        return environment("HOME").map { "\($0)/.local/state/jokesd" }
    }

    static func lock(_ folder: String, for task: DaemonOptions.Task) throws -> StateLock {
        do {
            return try StateLock(at: "\(folder)/lock")
        } catch {
            switch error {
            case .held(let holder):
                let process = holder.map { " by process \($0)" } ?? ""
                throw DaemonFailure(
                    sentence: "state folder \(folder) is in use\(process)",
                    hint: task == .syncOnce
                        ? "Another jokesd uses this folder. To sync with the running daemon: jokesctl refresh"
                        : "Another jokesd uses this folder. To start a second one: jokesd --state-dir DIR --socket PATH",
                    status: DaemonFailure.tryLater)
            case .system(let error):
                throw DaemonFailure(
                    sentence: error.description, hint: otherFolder, status: DaemonFailure.cannotCreate)
            }
        }
    }

    static func open(_ folder: String, _ lock: StateLock, on loop: EventLoop, rules: ShowingRules) throws -> JokeStore {
        do {
            return try JokeStore(folder: folder, executor: loop, rules: rules, lock: lock)
        } catch {
            throw DaemonFailure(error)
        }
    }
}

extension Configuration {
    /// Decides which jokes are shown. The starter jokes come last.
    var showingRules: ShowingRules {
        let filters = sources.compactMap { source in source.filter.map { (source.name, $0) } }
        return ShowingRules(
            sourceOrder: sources.map(\.name) + [StarterJokes.source], filter: filter,
            sourceFilters: Dictionary(uniqueKeysWithValues: filters),
            sourceDefaults: Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.defaults) }))
    }

    var cacheLimits: CacheLimits {
        CacheLimits(jokes: cache.maxJokes, age: cache.maxAge)
    }

    var feedSettings: FeedSettings {
        FeedSettings(size: feed.size, placeholders: feed.placeholders)
    }
}

extension Configuration.Network {
    var userAgent: String {
        contact.isEmpty ? "jokesd/\(jokesdVersion)" : "jokesd/\(jokesdVersion) (+\(contact))"
    }
}
