import JokesStore
import Unix

/// How looking through the whole database ended.
enum CheckOutcome: Sendable {
    case sound
    /// It is damaged, or cannot be read.
    case failed(StoreError)
    /// It was not looked through, or not to the end.
    case none
}

/// Somebody who waits until the whole database was looked through, and what ends the wait before.
struct CheckWaiter {
    let caller: CheckedContinuation<CheckOutcome?, Never>
    let timer: TimerQueue.Token
}

/// Looking for damage: at start where there is a reason to, and whenever somebody wants to know.
extension Daemon {
    /// Looks through the whole database where its last user did not close it, or a month has gone.
    func lookForDamage() {
        guard store.refusalAtOpening == nil, WholeCheck.isDue(store, lastCheck: try? reader.lastCheck(), at: .now)
        else { return }
        beginCheck()
    }

    /// What comes of looking through the whole database, which begins now unless that is being done; nil where it takes
    /// longer, and goes on.
    func checked(within time: Duration) async -> CheckOutcome? {
        beginCheck()
        guard checking != nil else { return CheckOutcome.none }
        return await withCheckedContinuation { caller in
            let number = (checkWaiters.keys.max() ?? 0) + 1
            let timer = loop.schedule(at: .now.advanced(by: time)) { [weak self] in
                self?.assumeIsolated { $0.endWait(number) }
            }
            checkWaiters[number] = CheckWaiter(caller: caller, timer: timer)
        }
    }

    /// With what is known by now.
    private func endWait(_ number: Int) {
        guard let waiter = checkWaiters.removeValue(forKey: number) else { return }
        loop.cancel(waiter.timer)
        waiter.caller.resume(returning: checkOutcome)
    }

    /// On a thread that lives as long as that takes: it delays neither readers nor writers.
    private func beginCheck() {
        guard checking == nil, let check = WholeCheck(of: store), let thread = try? EventLoop(),
            (try? thread.start(name: "jokesd-check")) != nil
        else { return }
        checkOutcome = nil
        checking = Task.detached(executorPreference: thread) { [weak self] in
            let result = Result { () throws(StoreError) in try check.run { !Task.isCancelled } }
            await self?.looked(result)
            thread.stop()
        }
    }

    private func looked(_ result: Result<Result<Bool, FoundDamage>, StoreError>) async {
        switch result {
        case .success(.success(true)):
            checkOutcome = .sound
            await attemptWriting { try $0.recordCheck(at: .now) }
        case .success(.success(false)): checkOutcome = CheckOutcome.none
        case .success(.failure(let damage)):
            checkOutcome = .failed(damage.error)
            await store.report(damage)
        case .failure(let error):
            checkOutcome = .failed(error)
            log.warning(error.description)
        }
        checking = nil
        for number in checkWaiters.keys { endWait(number) }
    }
}
