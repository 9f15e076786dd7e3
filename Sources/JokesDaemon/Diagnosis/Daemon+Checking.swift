import JokesStore
import Unix

/// The result of a check of the whole database.
enum CheckOutcome: Sendable {
    case sound
    /// The database is damaged, or cannot be read.
    case failed(StoreError)
    /// The check did not start, or did not end in time.
    case unfinished
}

extension Daemon {
    private static let maxCheckTime: Duration = .seconds(6)

    /// Checks the whole database for damage. Calls during a check share its result.
    func checkDatabase() async -> CheckOutcome {
        if let checking { return await checking.value }
        // A thread of its own: the check delays neither readers nor writers.
        guard let check = WholeCheck(of: store), let thread = try? EventLoop(),
            (try? thread.start(name: "jokesd-check")) != nil
        else { return .unfinished }
        let end = BootInstant.now.advanced(by: Self.maxCheckTime)
        let task = Task.detached(executorPreference: thread) { [store] () -> CheckOutcome in
            defer { thread.stop() }
            do throws(StoreError) {
                switch try check.run(while: { .now < end }) {
                case .success(let isComplete): return isComplete ? .sound : .unfinished
                case .failure(let damage):
                    await store.report(damage)
                    return .failed(damage.error)
                }
            } catch {
                return .failed(error)
            }
        }
        checking = task
        let outcome = await task.value
        checking = nil
        return outcome
    }
}
