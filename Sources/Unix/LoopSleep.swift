extension EventLoop {
    /// Waits by the boot-time clock, without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        let wakeUp = BootInstant.now.advanced(by: duration)
        let (sleep, sleeper) = AsyncStream<Void>.makeStream()
        perform { [self] in
            let timer = schedule(at: wakeUp) { sleeper.finish() }
            sleeper.onTermination = { [self] reason in
                if case .cancelled = reason { perform { [self] in cancel(timer) } }
            }
            // If the task was canceled before, no termination follows.
            if case .terminated = sleeper.yield() { cancel(timer) }
        }
        for await _ in sleep {}
        if Task.isCancelled { throw CancellationError() }
    }
}
