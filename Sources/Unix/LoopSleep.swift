extension EventLoop {
    /// Waits by the boot-time clock, without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        let sleep = LoopSleep(on: self, until: BootInstant.now.advanced(by: duration))
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                perform { sleep.assumeIsolated { $0.begin(sleeper) } }
            }
        } onCancel: {
            perform { sleep.assumeIsolated { $0.end() } }
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// A wait on a loop, which ends with its timer or its cancellation.
private actor LoopSleep {
    private nonisolated let loop: EventLoop
    private let wakeUp: BootInstant
    private var sleeper: CheckedContinuation<Void, Never>?
    private var timer: TimerQueue.Token?
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop, until wakeUp: BootInstant) {
        self.loop = loop
        self.wakeUp = wakeUp
    }

    func begin(_ sleeper: CheckedContinuation<Void, Never>) {
        // The task was canceled before.
        if isOver { return sleeper.resume() }
        self.sleeper = sleeper
        timer = loop.schedule(at: wakeUp) { [weak self] in
            self?.assumeIsolated { $0.end() }
        }
    }

    func end() {
        isOver = true
        if let timer { loop.cancel(timer) }
        timer = nil
        sleeper?.resume()
        sleeper = nil
    }
}
