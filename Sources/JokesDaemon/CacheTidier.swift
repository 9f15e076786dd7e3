import JokesCore
import JokesStore

/// Keeps the cache within its limits, in small steps with other writes between them.
@ServiceActor
final class CacheTidier {
    private let store: JokeStore
    private let views: WatchedViews
    private let log: Log
    /// The number of jokes that the steps have removed since the cache was last within its limits.
    private var removed = 0

    init(_ store: JokeStore, _ views: WatchedViews, log: Log) {
        self.store = store
        self.views = views
        self.log = log
    }

    /// Runs one step of the cleanup of the cache. Publishes the remaining jokes after the last step.
    ///
    /// Does not use `StoreWriter`: the status does not show a failed step as a failed change. If a step fails, the next
    /// sync tries again.
    ///
    /// - Returns: True if nothing is left to do, or if the step failed; false if another step must follow.
    func performStep() async -> Bool {
        do {
            let step = try await store.tidy(at: .now)
            removed += step.removed
            if !step.isLast { return false }
        } catch {
            log.error(error.description)
        }
        guard removed > 0 else { return true }
        log.debug("cache: removed \(counted(removed, "joke"))")
        removed = 0
        log.attempt("publish the remaining jokes") { try views.updateJokes() }
        return true
    }
}
