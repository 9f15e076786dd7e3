import CLinux
import Glibc
import Synchronization

/// A thread that waits in epoll, and calls handlers and timers. It is the executor of its actors.
///
/// Without work, it sleeps without a timeout. The methods for watches and timers must be called on the loop's thread:
/// from an actor with this executor, or before the loop runs. Handlers enter such an actor with `assumeIsolated`.
///
/// It is also a task executor: with `Task(executorPreference: loop)`, code of no actor runs here, and not on the
/// threads of the concurrency runtime. After their first use, these threads wake the process every second for its whole
/// life, so an idle daemon must not use them.
///
/// A turn of the loop calls the handlers of ready descriptors, then due timers, jobs of actors, and the actions for the
/// end of the turn. New work waits for the next turn, so descriptors do not wait for long.
///
/// `@unchecked Sendable`: `inbox` has a lock, and `isStopped` and `thread` are atomic. All other state is only used on
/// the loop's thread, which `checkIsolated` enforces.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The events of a descriptor.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// An error or the end. It is always reported.
        package static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    /// Identifies a watched descriptor.
    package struct Watch: Hashable, Sendable { fileprivate let key: UInt64 }

    private enum Job {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private let epoll: Descriptor
    private let wakeUp: Descriptor
    private let alarm: Descriptor
    /// Jobs from all threads, in order; nil after the loop has ended.
    private let inbox = LockedInbox<[Job]?>([])
    private let isStopped = Atomic(false)
    /// The thread of the loop; before it runs, `notStarted` or `starting`.
    private let thread = Atomic<UInt>(notStarted)

    private var watched: [UInt64: (descriptor: Int32, interest: Readiness, handler: (Readiness) -> Void)] = [:]
    private var nextKey: UInt64 = 2
    private var timers = TimerQueue()
    /// The time of the kernel's timer.
    private var armedFor: BootInstant?
    private var turnEnds: [() -> Void] = []

    private static let notStarted: UInt = 0
    /// The thread is being created. The thread that created the loop may not use it any more.
    private static let starting: UInt = 1

    private static let wakeUpKey: UInt64 = 0
    private static let alarmKey: UInt64 = 1

    /// - Throws: `SystemError` if there are no descriptors left.
    package init() throws(SystemError) {
        epoll = Descriptor(owning: try retrying("create an epoll instance") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        wakeUp = Descriptor(
            owning: try retrying("create an event descriptor") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
        let flags = Int32(TFD_CLOEXEC | TFD_NONBLOCK)
        alarm = Descriptor(owning: try retrying("create a timer") { timerfd_create(CLOCK_BOOTTIME, flags) })
        try control(EPOLL_CTL_ADD, wakeUp.rawValue, .readable, key: Self.wakeUpKey)
        try control(EPOLL_CTL_ADD, alarm.rawValue, .readable, key: Self.alarmKey)
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

    private func enqueue(_ job: Job) {
        let isFirst = inbox.withLock { jobs in
            jobs?.append(job)
            return jobs?.count == 1
        }
        // On the loop's thread, and before the loop runs, the inbox is emptied before the next wait anyway.
        if isFirst && !isCurrent { signalWakeUp() }
    }

    /// Calls the action on the loop's thread, after earlier jobs. Callable from any thread.
    package func perform(_ action: @escaping @Sendable () -> Void) { enqueue(.action(action)) }

    package func checkIsolated() { precondition(isCurrent, "called off the event loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// True on the thread of the loop, and on any thread before the loop is started.
    private var isCurrent: Bool {
        let owner = thread.load(ordering: .acquiring)
        return owner == Self.notStarted || owner == UInt(pthread_self())
    }

    // MARK: Running

    /// Runs the loop on the calling thread until `stop`. A loop runs only once.
    package func run() {
        let previous = thread.exchange(UInt(pthread_self()), ordering: .acquiringAndReleasing)
        precondition(previous == Self.notStarted || previous == Self.starting, "an event loop runs once")
        // Large enough that the listener, signals and timers are in each turn, even with many busy clients.
        var events = [epoll_event](repeating: epoll_event(), count: 1024)
        while true {
            // Read first, so that jobs from before `stop` still run.
            let isLastTurn = isStopped.load(ordering: .acquiring)
            runJobs()
            endTurn()
            if isLastTurn { break }
            armAlarm()
            let count = epoll_wait(epoll.rawValue, &events, Int32(events.count), hasMoreToDo ? 0 : -1)
            precondition(count >= 0 || errno == EINTR, "epoll_wait failed with \(errno)")
            for index in 0..<max(0, Int(count)) { dispatch(events[index]) }
        }
        // Handlers may refer to the owner of the loop.
        watched = [:]
        timers = TimerQueue()
        turnEnds = []
        // Freed without the lock, for the same reason.
        _ = inbox.withLock { $0.take() }
    }

    /// Runs the loop on its own thread, with a name for debuggers of at most 15 bytes.
    package func start(name: String) throws(SystemError) {
        let previous = thread.exchange(Self.starting, ordering: .acquiringAndReleasing)
        precondition(previous == Self.notStarted, "an event loop runs once")
        perform { linux_name_thread(name) }
        var handle = pthread_t()
        let loop = Unmanaged.passRetained(self)
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { loop in
            Unmanaged<EventLoop>.fromOpaque(loop!).takeRetainedValue().run()
            return nil
        }
        let code = pthread_create(&handle, nil, run, loop.toOpaque())
        guard code == 0 else {
            loop.release()
            thread.store(Self.notStarted, ordering: .releasing)
            throw SystemError("start thread", name, code: code)
        }
        pthread_detach(handle)
    }

    /// Ends `run` after earlier jobs. Later jobs may not run. Callable from any thread.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        signalWakeUp()
    }

    /// Calls the action after the handlers and jobs of this turn. Actions that it adds wait for the next turn.
    package func atEndOfTurn(_ action: @escaping () -> Void) {
        checkIsolated()
        turnEnds.append(action)
    }

    private var hasMoreToDo: Bool { !turnEnds.isEmpty || inbox.withLock { $0?.isEmpty == false } }

    private func runJobs() {
        let jobs = inbox.withLock { jobs in
            defer { jobs = [] }
            return jobs ?? []
        }
        for job in jobs {
            switch job {
            case .job(let job):
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .action(let action): action()
            }
        }
    }

    private func endTurn() {
        let actions = turnEnds
        turnEnds.removeAll()
        for action in actions { action() }
    }

    private func dispatch(_ event: epoll_event) {
        switch event.data.u64 {
        case Self.wakeUpKey: drain(wakeUp)
        case Self.alarmKey:
            drain(alarm)
            armedFor = nil
            let now = BootInstant.now
            while let due = timers.popDue(at: now) { due() }
        case let key:
            var readiness = Readiness(rawValue: event.events)
            if !readiness.isDisjoint(with: .failed) { readiness.formUnion(.failed) }
            // An earlier handler of this turn may have ended the watch.
            watched[key]?.handler(readiness)
        }
    }

    private func signalWakeUp() {
        var one: UInt64 = 1
        // If the counter is full (EAGAIN), a wake-up is pending already.
        _ = write(wakeUp.rawValue, &one, MemoryLayout<UInt64>.size)
    }

    private func drain(_ descriptor: borrowing Descriptor) {
        var count: UInt64 = 0
        _ = read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
    }

    // MARK: Descriptors

    /// Calls the handler on the loop whenever the descriptor is ready (level-triggered), until `unwatch`.
    ///
    /// The caller owns the descriptor, and must end the watch before closing it.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        checkIsolated()
        let key = nextKey
        nextKey += 1
        try control(EPOLL_CTL_ADD, descriptor, interest, key: key)
        watched[key] = (descriptor, interest, handler)
        return Watch(key: key)
    }

    /// Changes the events of a watch. An empty set pauses it, except for failures.
    package func change(_ watch: Watch, to interest: Readiness) {
        checkIsolated()
        guard let entry = watched[watch.key], entry.interest != interest else { return }
        watched[watch.key]?.interest = interest
        // Fails only if the descriptor was closed before, which has removed it already.
        try? control(EPOLL_CTL_MOD, entry.descriptor, interest, key: watch.key)
    }

    /// Ends a watch. Its handler is not called again. Does nothing if it has ended.
    package func unwatch(_ watch: Watch) {
        checkIsolated()
        guard let entry = watched.removeValue(forKey: watch.key) else { return }
        // Fails only if the descriptor was closed before, which has removed it already.
        _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, entry.descriptor, nil)
    }

    /// Ends a watch, if there is one, and sets it to nil.
    package func unwatch(_ watch: inout Watch?) {
        if let watch = watch.take() { unwatch(watch) }
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

    /// Calls the action once on the loop, at a time or as soon as possible after it. O(timers)
    @discardableResult
    package func schedule(at instant: BootInstant, _ action: @escaping () -> Void) -> TimerQueue.Token {
        checkIsolated()
        return timers.insert(at: instant, action)
    }

    /// Cancels a timer. Does nothing if it has fired.
    package func cancel(_ token: TimerQueue.Token) {
        checkIsolated()
        timers.remove(token)
    }

    /// Cancels a timer, if there is one, and sets it to nil.
    package func cancel(_ token: inout TimerQueue.Token?) {
        if let token = token.take() { cancel(token) }
    }

    /// Called once for each turn: timers that are set and canceled in one turn cost no system call.
    private func armAlarm() {
        let next = timers.first
        guard next != armedFor else { return }
        armedFor = next
        var setting = itimerspec()
        if let next {
            // Zero would disarm the timer; a time at boot is due in any case.
            let parts = max(next.sinceBoot, .nanoseconds(1)).components
            setting.it_value.tv_sec = Int(parts.seconds)
            setting.it_value.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
        }
        let code = timerfd_settime(alarm.rawValue, Int32(TFD_TIMER_ABSTIME), &setting, nil)
        precondition(code == 0, "timerfd_settime failed with \(errno)")
    }
}

/// A value with a mutex of pthread. The thread sanitizer cannot see the waiting of `Synchronization.Mutex`, and would
/// report races that do not exist.
///
/// `@unchecked Sendable`: the value is only used while the mutex is locked.
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
