import JokesClient
import JokesCore
import TestSupport
import Unix

/// A follower with its own loop, and its events.
final class Viewer: Sendable {
    let events: Mailbox<DaemonFollower.Event>
    let timers: ManualTimers
    let follower: DaemonFollower
    private let loop: EventLoop

    init(_ folder: TemporaryFolder, hasManualTimers: Bool = false) throws {
        let events = try Mailbox<DaemonFollower.Event>()
        loop = try EventLoop()
        timers = try ManualTimers(loop)
        self.events = events
        follower = DaemonFollower(
            paths: [folder.path("socket")], loop: loop, schedule: hasManualTimers ? timers.schedule : nil
        ) { events.put($0) }
        try loop.start(name: "follower")
    }

    deinit {
        loop.stop()
    }

    /// Returns the next snapshot.
    func nextSnapshot() throws -> JokeSnapshot {
        while true {
            if case .changed(let snapshot, _) = try events.take("a snapshot came") { return snapshot }
        }
    }

    func waitForSnapshot(_ expected: JokeSnapshot) throws {
        while try nextSnapshot() != expected {}
    }

    /// Returns whether all events up to this snapshot are snapshots.
    func getsOnlySnapshots(until last: JokeSnapshot) throws -> Bool {
        while true {
            guard case .changed(let snapshot, _) = try events.take("a snapshot came") else { return false }
            if snapshot == last { return true }
        }
    }

    /// Returns why the daemon is unreachable next, and the pause until the next attempt.
    func nextLoss() throws -> (error: ClientError, pause: Duration) {
        while true {
            if case .unreachable(let error, let pause) = try events.take("the daemon was lost") {
                return (error, pause)
            }
        }
    }
}

/// Timers that a test fires.
final class ManualTimers: Sendable {
    private struct Timer {
        let pause: Duration
        let action: @Sendable () -> Void
    }

    private let waiting = Locked<[Int: Timer]>([:])
    private let numbers = Locked(0)
    private let set: Mailbox<Int>
    private let loop: EventLoop

    init(_ loop: EventLoop) throws {
        self.loop = loop
        set = try Mailbox()
    }

    var schedule: DaemonFollower.Schedule {
        { [self] pause, action in
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            waiting.withLock { $0[number] = Timer(pause: pause, action: action) }
            set.put(number)
            return { [self] in waiting.withLock { $0[number] = nil } }
        }
    }

    /// The number of timers that wait.
    var count: Int {
        waiting.withLock { $0.count }
    }

    /// Fires the next timer that waits, and returns its pause.
    func fireNext(where matches: (Duration) -> Bool = { _ in true }) throws -> Duration {
        while true {
            let number = try set.take("a timer was set")
            let timer = waiting.withLock { timers -> Timer? in
                guard let timer = timers[number], matches(timer.pause) else { return nil }
                timers[number] = nil
                return timer
            }
            guard let timer else { continue }
            loop.perform { timer.action() }
            return timer.pause
        }
    }
}
