import JokesCore
import JokesStore
import Unix

/// Creates the parts of the daemon that have their own threads, before `Daemon` connects them.
///
/// Also owns the lock of the state folder and the signal handlers.
final class Assembly {
    let configuration: Configuration
    /// The path of the configuration file, or `Configuration.builtInOrigin`.
    let origin: String
    let log: Log
    /// The loop of `ServiceActor`, on the main thread.
    let serviceLoop: EventLoop
    let store: JokeStore
    let worker: SyncWorker
    let signals: Signals
    private let lock: StateLock

    init(_ options: DaemonOptions) throws {
        (configuration, origin) = try JokesDaemon.loadConfiguration(options)
        log = Log(level: options.logLevel)
        log.debug("configuration: \(origin)")
        let folder = try StateFolder.prepare(options)
        lock = try StateFolder.lock(folder, for: options.mode)
        serviceLoop = try ServiceActor.loop()
        let (storeLoop, networkLoop) = (try EventLoop(), try EventLoop())
        // Blocks the signals in this thread, and in all threads that this thread starts later.
        signals = try Signals(on: serviceLoop)
        try networkLoop.start(name: "jokesd-network")
        store = try JokeStore(folder: folder, executor: storeLoop, rules: configuration.displayRules, lock: lock)
        if let recovery = store.recovery { log.error(recovery.logMessage) }
        if let writeError = store.writeErrorAtOpening {
            log.error("\(writeError.reason): serving cached jokes, storing no changes")
            if let hint = writeError.hint { log.error(hint) }
        }
        worker = SyncWorker(loop: networkLoop, store: store, network: configuration.network)
        try storeLoop.start(name: "jokesd-store")
    }
}
