import JokesCore
import JokesStore

/// Keeps the cache within its limits, in small steps with other writes between them.
@ServiceActor
final class CacheTidier {
    private let store: JokeStore
    private let views: WatchedViews
    private let log: Log
    /// The number of jokes that were removed since the cache was tidy.
    private var removed = 0
    private var evictedBefore = 0

    init(_ store: JokeStore, _ views: WatchedViews, log: Log) {
        self.store = store
        self.views = views
        self.log = log
    }

    /// Removes some jokes, and publishes the change with the last step. Returns whether the cache is tidy, or the step failed.
    ///
    /// If a step fails, the next sync tries again. A step that writes nothing does not show that changes can be stored. With
    /// `announces`, the last step logs what was evicted.
    func step(announces: Bool) async -> Bool {
        if removed == 0 { evictedBefore = views.counts.evicted }
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
        log.attempt("publish the remaining jokes") { try views.jokesChanged() }
        if announces, views.counts.evicted > evictedBefore, let notice = evictionNotice { log.info(notice) }
        return true
    }

    /// A sentence about the jokes that a full cache had no room for; nil if it had room for all.
    var evictionNotice: String? {
        let (evicted, limit) = (views.counts.evicted, views.limits.jokes)
        return evicted == 0
            ? nil : "cache: \(counted(evicted, "joke")) evicted so far: the limit is \(limit), set by \"maxJokes\""
    }
}
