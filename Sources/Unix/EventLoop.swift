import CLinux
import Glibc
import Synchronization

/// One thread that waits in epoll and runs what became due: the executor of the actors that live on it.
///
/// With nothing to do it sleeps without a timeout. Watches and timers belong to the loop's thread: their methods are
/// called from it (from an actor whose `unownedExecutor` is this loop, or before the loop runs) and trap elsewhere.
/// A handler that belongs to such an actor enters it by `assumeIsolated`.
///
/// It is a task executor too: a task that is started with `Task(executorPreference: loop)` runs what belongs to no actor
/// here, and not on the runtime's own threads. Once those have been used, a monitor of theirs wakes the process every
/// second for as long as it lives; a daemon that is to idle keeps all its tasks off them.
///
/// One turn of the loop: handlers of what became ready, timers that are due, jobs of actors, then what was put off to
/// the end of the turn. Whatever a turn brings up anew waits for the next one, so nothing keeps descriptors waiting.
///
/// `@unchecked Sendable`: `inbox` has a lock, and `isStopped` and `thread` are atomic; everything else is touched on the
/// loop's thread alone, which `checkIsolated` enforces.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// What a descriptor is ready for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// Error or hang-up, not told apart; always reported, need not be asked for.
        package static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    /// Names one watched descriptor.
    package struct Watch: Hashable, Sendable {
        fileprivate let key: UInt64
    }

    private struct Watched {
        let descriptor: Int32
        let handler: (Readiness) -> Void
    }

    private enum Job {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private let epoll: Descriptor
    private let wakeUp: Descriptor
    private let alarm: Descriptor
    /// What other threads hand to the loop, the oldest first; nil after the loop has ended.
    private let inbox = LockedInbox<[Job]?>([])
    private let isStopped = Atomic(false)
    /// The pthread the loop runs on; one of the two marks below before it runs.
    private let thread = Atomic<UInt>(notStarted)

    private var watched: [UInt64: Watched] = [:]
    private var nextKey: UInt64 = 2
    private var timers = TimerQueue()
    /// What the kernel's timer is set to.
    private var armedFor: BootInstant?
    private var turnEnds: [() -> Void] = []

    private static let notStarted: UInt = 0
    /// Its thread is being made: from here on the thread that made the loop is a stranger to it.
    private static let starting: UInt = 1

    private static let wakeUpKey: UInt64 = 0
    private static let alarmKey: UInt64 = 1

    /// - Throws: `SystemError` where the kernel has no descriptors left.
    package init() throws(SystemError) {
        epoll = Descriptor(owning: try retrying("create an epoll instance") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        wakeUp = Descriptor(
            owning: try retrying("create an event descriptor") {
                eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            })
        alarm = Descriptor(
            owning: try retrying("create a timer") {
                timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            })
        try control(EPOLL_CTL_ADD, wakeUp.rawValue, .readable, key: Self.wakeUpKey)
        try control(EPOLL_CTL_ADD, alarm.rawValue, .readable, key: Self.alarmKey)
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job)))
    }

    private func enqueue(_ job: Job) {
        let isFirst = inbox.withLock { jobs in
            jobs?.append(job)
            return jobs?.count == 1
        }
        // On the loop's own thread, and before the loop runs, the inbox is emptied before the next wait, without a system call.
        if isFirst && !isCurrent { signalWakeUp() }
    }

    /// Calls the action on the loop's thread, from any thread, after what was enqueued before.
    package func perform(_ action: @escaping @Sendable () -> Void) {
        enqueue(.action(action))
    }

    package func checkIsolated() {
        precondition(isCurrent, "called off the event loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// True on the loop's thread, and before the loop runs.
    private var isCurrent: Bool {
        let owner = thread.load(ordering: .acquiring)
        return owner == Self.notStarted || owner == UInt(pthread_self())
    }

    // MARK: Running

    /// Waits and dispatches on the calling thread until `stop`; a loop runs once.
    package func run() {
        let previous = thread.exchange(UInt(pthread_self()), ordering: .acquiringAndReleasing)
        precondition(previous == Self.notStarted || previous == Self.starting, "an event loop runs once")
        // Room for all that is ready in a daemon with its clients: the listener, signals and timers are served in each turn.
        var events = [epoll_event](repeating: epoll_event(), count: 1024)
        while true {
            // Read first: what was enqueued before `stop` still runs.
            let isLastTurn = isStopped.load(ordering: .acquiring)
            runJobs()
            endTurn()
            if isLastTurn { break }
            armAlarm()
            let count = epoll_wait(epoll.rawValue, &events, Int32(events.count), hasMoreToDo ? 0 : -1)
            precondition(count >= 0 || errno == EINTR, "epoll_wait failed with \(errno)")
            for index in 0..<max(0, Int(count)) {
                dispatch(events[index])
            }
        }
        // The handlers may own what owns the loop.
        watched = [:]
        timers = TimerQueue()
        turnEnds = []
        // Deallocated without the lock, for the same reason.
        _ = inbox.withLock { $0.take() }
    }

    /// Runs the loop on a thread of its own, named for debuggers (at most 15 bytes).
    package func start(name: String) throws(SystemError) {
        final class Start {
            let loop: EventLoop
            let name: String
            init(loop: EventLoop, name: String) {
                self.loop = loop
                self.name = name
            }
        }
        let previous = thread.exchange(Self.starting, ordering: .acquiringAndReleasing)
        precondition(previous == Self.notStarted, "an event loop runs once")
        var handle = pthread_t()
        let start = Unmanaged.passRetained(Start(loop: self, name: name))
        let code = pthread_create(
            &handle, nil,
            { pointer in
                let start = Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue()
                linux_name_thread(start.name)
                start.loop.run()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            thread.store(Self.notStarted, ordering: .releasing)
            throw SystemError("start thread", name, code: code)
        }
        pthread_detach(handle)
    }

    /// Ends `run` once what was enqueued before has been run. Callable from any thread; what is enqueued later may never
    /// run.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        signalWakeUp()
    }

    /// Calls the action once, after the handlers and jobs of this turn; what it puts off in turn waits for the next.
    package func atEndOfTurn(_ action: @escaping () -> Void) {
        checkIsolated()
        turnEnds.append(action)
    }

    private var hasMoreToDo: Bool {
        !turnEnds.isEmpty || inbox.withLock { $0?.isEmpty == false }
    }

    private func runJobs() {
        let jobs = inbox.withLock { jobs in
            defer { jobs = [] }
            return jobs ?? []
        }
        for job in jobs {
            switch job {
            case .job(let job):
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .action(let action): action()
            }
        }
    }

    private func endTurn() {
        let actions = turnEnds
        turnEnds.removeAll()
        for action in actions {
            action()
        }
    }

    private func dispatch(_ event: epoll_event) {
        switch event.data.u64 {
        case Self.wakeUpKey:
            drain(wakeUp)
        case Self.alarmKey:
            drain(alarm)
            armedFor = nil
            let now = BootInstant.now
            while let due = timers.popDue(at: now) {
                due()
            }
        case let key:
            // An earlier handler of the same turn may have ended this watch.
            let readiness = Readiness(rawValue: event.events)
            let hasFailed = !readiness.isDisjoint(with: .failed)
            watched[key]?.handler(hasFailed ? readiness.union(.failed) : readiness)
        }
    }

    private func signalWakeUp() {
        var one: UInt64 = 1
        // A full counter (EAGAIN) means that a wake-up is pending already.
        _ = write(wakeUp.rawValue, &one, MemoryLayout<UInt64>.size)
    }

    private func drain(_ descriptor: borrowing Descriptor) {
        var count: UInt64 = 0
        _ = read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
    }

    // MARK: Descriptors

    /// Calls the handler on the loop whenever the descriptor is ready (level-triggered), until `unwatch`.
    ///
    /// The descriptor stays the caller's, who ends the watch before closing it.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        checkIsolated()
        let key = nextKey
        nextKey += 1
        try control(EPOLL_CTL_ADD, descriptor, interest, key: key)
        watched[key] = Watched(descriptor: descriptor, handler: handler)
        return Watch(key: key)
    }

    /// Changes what the watch reports; an empty set pauses it (failures are still reported).
    package func change(_ watch: Watch, to interest: Readiness) throws(SystemError) {
        checkIsolated()
        guard let entry = watched[watch.key] else { return }
        try control(EPOLL_CTL_MOD, entry.descriptor, interest, key: watch.key)
    }

    /// Ends the watch; its handler is not called again. Does nothing for a watch that has ended.
    package func unwatch(_ watch: Watch) {
        checkIsolated()
        guard let entry = watched.removeValue(forKey: watch.key) else { return }
        // Fails only where the descriptor was closed too early, which already removed it.
        _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, entry.descriptor, nil)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, key: UInt64
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = key
        try retrying("watch file descriptor", "\(descriptor)") {
            epoll_ctl(epoll.rawValue, operation, descriptor, &event)
        }
    }

    // MARK: Timers

    /// Calls the action once on the loop at the instant or as soon after it as the loop is free.
    ///
    /// O(n) in the timers that wait.
    @discardableResult
    package func schedule(at instant: BootInstant, _ action: @escaping () -> Void) -> TimerQueue.Token {
        checkIsolated()
        return timers.insert(at: instant, action)
    }

    /// Forgets a timer; does nothing for one that has run.
    package func cancel(_ token: TimerQueue.Token) {
        checkIsolated()
        timers.remove(token)
    }

    /// Called once a turn: what a turn schedules and cancels again costs no system call.
    private func armAlarm() {
        let next = timers.first
        guard next != armedFor else { return }
        armedFor = next
        var setting = itimerspec()
        if let next {
            // All zero would disarm it; an instant at boot is due either way.
            let parts = max(next.sinceBoot, .nanoseconds(1)).components
            setting.it_value.tv_sec = Int(parts.seconds)
            setting.it_value.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
            if parts.seconds == 0 && setting.it_value.tv_nsec == 0 { setting.it_value.tv_nsec = 1 }
        }
        let code = timerfd_settime(alarm.rawValue, Int32(TFD_TIMER_ABSTIME), &setting, nil)
        precondition(code == 0, "timerfd_settime failed with \(errno)")
    }
}

/// A value behind a mutex of pthread. The thread sanitizer cannot see the waiting of `Synchronization.Mutex`, and would report
/// races that do not exist.
private final class LockedInbox<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
