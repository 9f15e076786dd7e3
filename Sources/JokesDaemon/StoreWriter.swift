import JokesCore
import JokesStore
import Unix

/// Writes to the store, remembers the last failure for the status, and keeps the cache within its limits.
@ServiceActor
final class StoreWriter {
    let store: JokeStore
    private let log: Log
    /// The error of the last failed write or recovery, or damage that was found; nil after a successful write.
    private(set) var failure: StoreError?
    /// The number of jokes that the cleanup has removed since the cache was last within its limits.
    private var removed = 0

    init(_ store: JokeStore, log: Log) {
        self.store = store
        self.log = log
        failure = store.writeErrorAtOpening
    }

    /// Writes to the store, and rethrows the errors of the body. A `StoreError` other than `noSuchJoke` is recorded as
    /// the failure.
    ///
    /// A change without effect, such as favoriting a favorite again, does not clear the failure, because nothing was
    /// written.
    func write<Result: Sendable>(
        lockTimeout: Duration? = nil, _ body: @Sendable (isolated JokeStore) throws -> Result
    ) async throws -> Result {
        do {
            let (result, hasWritten) = try await store.change(requestedAt: .now, lockTimeout: lockTimeout, body)
            if hasWritten && failure != nil {
                log.info("storing changes again")
                failure = nil
            }
            return result
        } catch let error as StoreError {
            if error.code != .noSuchJoke { recordFailure(error) }
            throw error
        }
    }

    /// Writes like `write`, and discards the error. A `StoreError` is still logged and shown in the status.
    func tryToWrite(_ body: @Sendable (isolated JokeStore) throws -> Void) async { try? await write(body) }

    /// Stores an error for the status. Logs consecutive errors with the same reason once.
    func recordFailure(_ error: StoreError) {
        if failure?.reason != error.reason { log.error(error.description) }
        failure = error
    }

    /// Removes the failure from the status, after a recovery.
    func clearFailure() { failure = nil }

    /// Runs one small step of the cleanup of the cache, between other writes. Publishes the remaining jokes after the last
    /// step.
    ///
    /// The status does not show a failed step as a failed change. If a step fails, the next sync tries again.
    ///
    /// - Returns: True if nothing is left to do, or if the step failed; false if another step must follow.
    func tidyStep(publishing views: WatchedViews) async -> Bool {
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
