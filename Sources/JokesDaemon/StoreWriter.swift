import JokesCore
import JokesStore
import Unix

/// Writes to the store, and knows whether changes can be stored.
@ServiceActor
final class StoreWriter {
    let store: JokeStore
    private let log: Log
    /// The reason why the last write failed; nil after one that succeeded.
    private(set) var failure: StoreError?

    init(_ store: JokeStore, log: Log) {
        self.store = store
        self.log = log
        failure = store.refusalAtOpening
    }

    /// Writes to the store. Throws what the body throws.
    ///
    /// A change without effect, such as a favorite that is one already, does not show that the next one can be stored.
    func write<Result: Sendable>(_ body: @Sendable (isolated JokeStore) throws -> Result) async throws -> Result {
        do {
            let (result, hasWritten) = try await store.change(asked: .now, body)
            if hasWritten && failure != nil {
                log.info("storing changes again")
                failure = nil
            }
            return result
        } catch let error as StoreError {
            if error.code != .noSuchJoke { refuse(error) }
            throw error
        }
    }

    /// Writes if it is possible. A failure is in the log and in the status.
    func tryToWrite(_ body: @Sendable (isolated JokeStore) throws -> Void) async { try? await write(body) }

    /// Notes that changes cannot be stored. The same reason is logged once.
    func refuse(_ error: StoreError) {
        if failure?.reason != error.reason { log.error(error.description) }
        failure = error
    }

    func accept() { failure = nil }
}

/// Records the served jokes after the reply, so that they are not served again soon.
@ServiceActor
final class DeliveryRecorder {
    /// The minimum time between two writes: a burst of jokes is a few writes, not one for each joke.
    private static let interval: Duration = .milliseconds(100)

    private let loop: EventLoop
    private let reader: JokeReader
    private let writer: StoreWriter
    private var hasNew = false
    private var recording: Task<Void, Never>?

    init(_ reader: JokeReader, _ writer: StoreWriter, on loop: EventLoop) {
        self.reader = reader
        self.writer = writer
        self.loop = loop
    }

    /// Records what the reader has served: the first joke of a burst at once.
    func record() {
        hasNew = true
        guard recording == nil else { return }
        recording = Task(executorPreference: loop) { await self.recordAll() }
    }

    private func recordAll() async {
        while hasNew {
            hasNew = false
            let deliveries = reader.unrecorded
            // Writing nothing would not show that changes can be stored.
            if deliveries.isEmpty { continue }
            let isRecorded: Void? = try? await writer.write { try $0.record(deliveries, at: .now) }
            if isRecorded != nil { reader.forget(deliveries) }
            if hasNew { try? await loop.sleep(for: Self.interval) }
        }
        recording = nil
    }

    /// Waits until everything that was served is recorded.
    func finish() async {
        record()
        // Ends the sleep; a running write continues.
        recording?.cancel()
        await recording?.value
    }
}

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
