extension EventLoop {
    /// Waits by the boot-time clock, without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        let sleep = LoopSleep(on: self)
        let wakeUp = BootInstant.now.advanced(by: duration)
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in perform { sleep.begin(sleeper, until: wakeUp) } }
        } onCancel: {
            perform { sleep.end() }
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// A wait on a loop, which ends with its timer or its cancellation.
///
/// `@unchecked Sendable`: its methods are only called on the loop.
private final class LoopSleep: @unchecked Sendable {
    private let loop: EventLoop
    private var sleeper: CheckedContinuation<Void, Never>?
    private var timer: TimerQueue.Token?
    private var isOver = false

    init(on loop: EventLoop) { self.loop = loop }

    func begin(_ sleeper: CheckedContinuation<Void, Never>, until wakeUp: BootInstant) {
        // The task was canceled before.
        if isOver { return sleeper.resume() }
        self.sleeper = sleeper
        timer = loop.schedule(at: wakeUp) { [weak self] in self?.end() }
    }

    func end() {
        isOver = true
        if let timer { loop.cancel(timer) }
        timer = nil
        sleeper?.resume()
        sleeper = nil
    }
}
