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
        failure = store.writeErrorAtOpening
    }

    /// Writes to the store. Throws what the body throws.
    ///
    /// A change without effect, such as a favorite that is one already, does not show that the next one can be stored.
    func write<Result: Sendable>(_ body: @Sendable (isolated JokeStore) throws -> Result) async throws -> Result {
        do {
            let (result, hasWritten) = try await store.change(requestedAt: .now, body)
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

    /// Writes, and ignores errors. `write` logs those of the store and shows them in the status.
    func tryToWrite(_ body: @Sendable (isolated JokeStore) throws -> Void) async { try? await write(body) }

    /// Notes that changes cannot be stored. The same reason is logged once.
    func refuse(_ error: StoreError) {
        if failure?.reason != error.reason { log.error(error.description) }
        failure = error
    }

    func accept() { failure = nil }
}
