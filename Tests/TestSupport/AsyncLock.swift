/// A lock whose waiters suspend instead of blocking a thread.
package final class AsyncLock: Sendable {
    /// Holds the lock until its last owner is released. Then the next waiter gets the lock.
    package final class Holder: Sendable {
        private let lock: AsyncLock

        fileprivate init(_ lock: AsyncLock) {
            self.lock = lock
        }

        deinit {
            lock.release()
        }
    }

    private let state = Locked((isHeld: false, waiters: [CheckedContinuation<Void, Never>]()))

    package init() {}

    /// Waits for the lock.
    package func acquire() async -> Holder {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.waiters.append(continuation) }
                defer { state.isHeld = true }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
        return Holder(self)
    }

    private func release() {
        let next = state.withLock { state in
            if state.waiters.isEmpty { state.isHeld = false }
            return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
        }
        next?.resume()
    }
}
