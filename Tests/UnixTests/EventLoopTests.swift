import Glibc
import Synchronization
import TestSupport
import Testing
import Unix

@Suite struct EventLoopTests {
    /// An actor on a loop.
    private actor Counter {
        let loop: EventLoop
        var count = 0

        init(_ loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func increment() { count += 1 }
    }

    /// A loop on its own thread, which is stopped at the end of the test.
    private final class RunningLoop: Sendable {
        let loop: EventLoop

        init() throws {
            loop = try EventLoop()
            try loop.start(name: "test loop")
        }

        deinit { loop.stop() }

        /// Runs the body on the loop, and returns its result.
        func on<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) throws -> Value) throws -> Value {
            let mailbox = try Mailbox<Result<Value, any Error>>()
            loop.perform { [loop] in mailbox.put(Result { try body(loop) }) }
            return try mailbox.take("the loop ran it").get()
        }
    }

    @Test("jobs from any thread enter an actor on the loop one at a time")
    func executor() async throws {
        let running = try RunningLoop()
        let counter = Counter(running.loop)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { await counter.increment() } }
            }
        }
        #expect(await counter.count == 4000)
        let onLoop = try running.on { _ in counter.assumeIsolated { $0.count } }
        #expect(onLoop == 4000)
    }

    @Test("actions from other threads run in order and wake a sleeping loop")
    func perform() throws {
        let running = try RunningLoop()
        let mailbox = try Mailbox<Int>()
        for number in 0..<100 {
            running.loop.perform { mailbox.put(number) }
        }
        for number in 0..<100 { #expect(try mailbox.take() == number) }
    }

    @Test("a ready descriptor is reported until its watch ends")
    func watch() throws {
        let running = try RunningLoop()
        let reports = try Mailbox<EventLoop.Readiness>()
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        try running.on { loop in
            let box = WatchBox()
            box.watch = try loop.watch(reading, for: .readable) { readiness in
                var byte: UInt8 = 0
                if read(reading, &byte, 1) == 0, let watch = box.watch { loop.unwatch(watch) }
                reports.put(readiness)
            }
        }
        #expect(write(writing, "ab", 2) == 2)
        #expect(try reports.take() == .readable)
        #expect(try reports.take() == .readable)
        close(writing)
        #expect(try reports.take("the hang-up was reported").contains(.failed))
        // With a watch, the end would be reported in each turn.
        _ = try running.on { _ in 0 }
        _ = try running.on { _ in 0 }
        #expect(reports.takeAll().isEmpty)
    }

    private final class WatchBox {
        var watch: EventLoop.Watch?
    }

    @Test("a handler is not called after another handler of the turn has ended its watch")
    func unwatchInTurn() throws {
        let running = try RunningLoop()
        let calls = try running.on { loop in
            // Both are ready at once, and the first one ends both.
            let (reading, writing) = try makePipe()
            let other = dup(writing)
            let log = CallLog()
            for descriptor in [writing, other] {
                log.watches.append(
                    try loop.watch(descriptor, for: .writable) { _ in
                        log.calls += 1
                        for watch in log.watches { loop.unwatch(watch) }
                        for end in [reading, writing, other] { close(end) }
                    })
            }
            return log
        }
        #expect(try running.on { _ in calls.calls } <= 1)
        #expect(try running.on { _ in calls.calls } == 1)
    }

    /// `@unchecked Sendable`: only used on the loop's thread.
    private final class CallLog: @unchecked Sendable {
        var calls = 0
        var watches: [EventLoop.Watch] = []
    }

    @Test("timers run in order, not before their time, and not after they are canceled")
    func timers() throws {
        let running = try RunningLoop()
        let ran = try Mailbox<Int>()
        let start = BootInstant.now
        try running.on { loop in
            for milliseconds in [20, 5, 10, 0] {
                loop.schedule(at: start.advanced(by: .milliseconds(milliseconds))) {
                    ran.put(BootInstant.now >= start.advanced(by: .milliseconds(milliseconds)) ? milliseconds : -1)
                }
            }
            let cancelled = loop.schedule(at: start.advanced(by: .milliseconds(15))) { ran.put(15) }
            loop.schedule(at: start) { loop.cancel(cancelled) }
        }
        #expect(try (0..<4).map { _ in try ran.take() } == [0, 5, 10, 20])
        #expect(ran.takeAll().isEmpty)
    }

    @Test("a job that always adds another job does not delay descriptors")
    func fairness() throws {
        let running = try RunningLoop()
        let served = try Mailbox<Void>()
        let (reading, writing) = try makePipe()
        let flag = Flag()
        try running.on { loop in
            let box = WatchBox()
            box.watch = try loop.watch(reading, for: .readable) { _ in
                flag.isDone = true
                box.watch.map(loop.unwatch)
                served.put(())
            }
            again(on: loop, until: flag)
            putOff(on: loop, until: flag)
        }
        #expect(write(writing, "x", 1) == 1)
        try served.take("the descriptor was served")
        for end in [reading, writing] { close(end) }
    }

    @Test("an action for the end of the turn runs once, after the jobs of the turn")
    func endOfTurn() throws {
        let running = try RunningLoop()
        let order = try Mailbox<String>()
        try running.on { loop in
            loop.atEndOfTurn { order.put("end") }
            loop.perform { order.put("next job") }
            order.put("job")
        }
        #expect(try (0..<3).map { _ in try order.take() } == ["job", "end", "next job"])
    }

    @Test("an idle loop does not wake up")
    func idle() throws {
        let running = try RunningLoop()
        let switches = try Mailbox<Int>()
        running.loop.perform { [loop = running.loop] in
            // Counted from a turn without other threads, because waiting for a lock of another thread is also a sleep.
            loop.schedule(at: .now.advanced(by: .milliseconds(10))) {
                let before = (try? voluntarySwitches()) ?? 0
                loop.schedule(at: .now.advanced(by: .milliseconds(100))) {
                    let after = (try? voluntarySwitches()) ?? .max
                    switches.put(after - before)
                }
            }
        }
        // None if the thread had no processor until the time was over.
        #expect(try switches.take() <= 1)
    }

    @Test("jobs that were enqueued before the stop run")
    func stop() throws {
        for _ in 0..<100 {
            let running = try RunningLoop()
            let ran = try Mailbox<Int>()
            for number in 0..<3 { running.loop.perform { ran.put(number) } }
            running.loop.stop()
            #expect(try (0..<3).map { _ in try ran.take() } == [0, 1, 2])
        }
    }

    @Test("a stopped loop frees its handlers")
    func release() throws {
        final class Token: Sendable {}
        let loop = try EventLoop()
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            loop.schedule(at: .now.advanced(by: .seconds(3600))) { _ = token }
        }
        #expect(weakToken != nil)
        loop.stop()
        loop.run()
        #expect(weakToken == nil)
        // Actions that come too late are also freed.
        do {
            let token = Token()
            weakToken = token
            loop.perform { _ = token }
        }
        #expect(weakToken == nil)
    }

    @Test("no sleep is too short, however many run at once")
    func length() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let length = Duration.milliseconds(number % 20)
                    let start = BootInstant.now
                    try await SharedLoop.loop.sleep(for: length)
                    return start.duration(to: .now) >= length
                }
            }
            for try await isLongEnough in group { #expect(isLongEnough) }
        }
    }

    @Test("a canceled sleep ends at once, before or after its start", arguments: [true, false])
    func cancelled(_ hasBegun: Bool) async throws {
        let began = try Gate()
        // Not on the threads of the runtime: this waiting test may have the only one.
        let task = Task(executorPreference: SharedLoop.loop) {
            began.open()
            try await SharedLoop.loop.sleep(for: .seconds(86_400))
        }
        if hasBegun { try waitUntil(began.descriptor) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// Enqueues itself until the flag is set.
private func again(on loop: EventLoop, until flag: Flag) {
    if !flag.isDone { loop.perform { again(on: loop, until: flag) } }
}

private func putOff(on loop: EventLoop, until flag: Flag) {
    if !flag.isDone { loop.atEndOfTurn { putOff(on: loop, until: flag) } }
}

/// `@unchecked Sendable`: only used on the loop's thread.
private final class Flag: @unchecked Sendable {
    var isDone = false
}

/// Returns the number of times that the calling thread has slept.
private func voluntarySwitches() throws -> Int {
    let status = String(decoding: try contentsOfFile("/proc/thread-self/status", limit: 1 << 16), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return try #require(line.flatMap { Int($0.split(separator: "\t").last ?? "") })
}
