import JokesStore
import Unix

/// Checks the whole database for damage, one check at a time.
@ServiceActor
final class DatabaseChecker {
    /// The maximum time of a check.
    private static let maxTime: Duration = .seconds(6)

    private let store: JokeStore
    private var running: Task<Result<Bool, StoreError>, Never>?

    init(_ store: JokeStore) { self.store = store }

    /// Returns the result of a check: true if it was complete, false if it did not start or did not end in time, and an error if
    /// the database is damaged or cannot be read. Calls during a check share its result.
    func check() async -> Result<Bool, StoreError> {
        if let running { return await running.value }
        // The check has its own thread, so it delays neither readers nor writers.
        guard let check = DatabaseCheck(of: store), let thread = try? EventLoop(),
            (try? thread.start(name: "jokesd-check")) != nil
        else { return .success(false) }
        let end = BootInstant.now.advanced(by: Self.maxTime)
        let task = Task.detached(executorPreference: thread) { [store] () -> Result<Bool, StoreError> in
            defer { thread.stop() }
            do throws(StoreError) {
                return .success(try check.run(while: { .now < end }))
            } catch {
                if let damage = check.damage(error) { await store.report(damage) }
                return .failure(error)
            }
        }
        running = task
        let outcome = await task.value
        running = nil
        return outcome
    }
}
