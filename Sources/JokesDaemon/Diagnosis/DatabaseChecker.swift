import JokesStore
import Unix

/// The result of a check of the whole database.
enum CheckOutcome: Sendable {
    case ok
    /// The database is damaged, or cannot be read.
    case failed(StoreError)
    /// The check did not start, or did not end in time.
    case unfinished
}

/// Checks the whole database for damage, one check at a time.
@ServiceActor
final class DatabaseChecker {
    /// The maximum time of a check.
    private static let maxTime: Duration = .seconds(6)

    private let store: JokeStore
    private var running: Task<CheckOutcome, Never>?

    init(_ store: JokeStore) { self.store = store }

    /// Returns the result of a check. Calls during a check share its result.
    func check() async -> CheckOutcome {
        if let running { return await running.value }
        // The check has its own thread, so it delays neither readers nor writers.
        guard let check = DatabaseCheck(of: store), let thread = try? EventLoop(),
            (try? thread.start(name: "jokesd-check")) != nil
        else { return .unfinished }
        let end = BootInstant.now.advanced(by: Self.maxTime)
        let task = Task.detached(executorPreference: thread) { [store] () -> CheckOutcome in
            defer { thread.stop() }
            do throws(StoreError) {
                switch try check.run(while: { .now < end }) {
                case .success(let isComplete): return isComplete ? .ok : .unfinished
                case .failure(let damage):
                    await store.report(damage)
                    return .failed(damage.error)
                }
            } catch {
                return .failed(error)
            }
        }
        running = task
        let outcome = await task.value
        running = nil
        return outcome
    }
}
