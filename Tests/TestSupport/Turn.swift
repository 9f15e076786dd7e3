/// An asynchronous lock for a resource that a process has only once.
package final class Turn: Sendable {
    /// Holds the lock; releasing it passes the lock to the next waiter.
    package final class Mine: Sendable {
        private let turn: Turn

        fileprivate init(_ turn: Turn) {
            self.turn = turn
        }

        deinit {
            turn.pass()
        }
    }

    private let state = Locked((isTaken: false, waiting: [CheckedContinuation<Void, Never>]()))

    package init() {}

    /// Waits for the lock.
    package func take() async -> Mine {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        return Mine(self)
    }

    private func pass() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
