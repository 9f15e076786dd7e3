import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// A daemon that takes calls and says nothing, as one that was stopped.
@Suite struct SilentDaemonTests {
    @Test(
        "a daemon that takes the call and never answers is away after ten seconds, and tried again after longer pauses")
    func neverAnswers() async throws {
        let folder = try TemporaryFolder()
        // The kernel takes connections for it, and nobody ever looks.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let viewer = try WaitingViewer(folder)
        await viewer.follower.start()
        var pauses: [Duration] = []
        for _ in 0..<6 {
            guard case .connecting = try viewer.told.take("it was called") else {
                Issue.record("it is told something else than that it is called")
                return
            }
            for _ in 0..<2 { #expect(try viewer.timers.passNext() == .seconds(5)) }
            guard case .away(.silent(for: .seconds(10)), let pause) = try viewer.told.take("it was given up") else {
                Issue.record("it is not given up for its silence")
                return
            }
            #expect(try viewer.timers.passNext() == pause)
            pauses.append(pause)
        }
        // Each is twice the one before, and up to a quarter shorter or longer.
        #expect(zip(pauses, pauses.dropFirst(2)).allSatisfy { $0 < $1 }, "\(pauses)")
        await viewer.follower.close()
        #expect(socket.rawValue >= 0)
    }

    @Test("no timer waits once the picture is whole, nor once a call is answered")
    func noTimer() async throws {
        let daemon = try PictureService(picture([1, 2, 3]), epoch: "a", in: TemporaryFolder())
        let viewer = try WaitingViewer(daemon.folder)
        await viewer.follower.start()
        try viewer.waitForPicture(picture([1, 2, 3]))
        await #expect(viewer.follower.timersThatWait(viewer.timers) == 0)
        let answers = try Mailbox<Bool>()
        await viewer.follower.call(UnfavoriteMethod.self, ChangeParameters(ids: ["t:1"])) { _ in answers.put(true) }
        _ = try answers.take("the call was answered")
        await #expect(viewer.follower.timersThatWait(viewer.timers) == 0)
        await viewer.follower.follow(Wire.View(query: "duck"))
        try viewer.waitForPicture(picture([1, 2, 3]))
        await #expect(viewer.follower.timersThatWait(viewer.timers) == 0)
        daemon.stop()
    }

    @Test("a daemon that falls silent is found out by the next call, which fails for that reason, as does its picture")
    func fallsSilent() async throws {
        let unanswered = try await UnansweredCall()
        let (viewer, answers) = (unanswered.viewer, unanswered.answers)
        for _ in 0..<2 { #expect(try viewer.timers.passNext { $0 == .seconds(5) } == .seconds(5)) }
        guard case .failure(.silent(for: .seconds(10))) = try answers.take("the call failed") else {
            Issue.record("the call has another end")
            return
        }
        guard case .away(.silent, let pause) = try viewer.told.take("it was given up") else {
            Issue.record("it is not given up")
            return
        }
        unanswered.gate.open()
        #expect(try viewer.timers.passNext { $0 < .seconds(5) } == pause)
        try viewer.waitForPicture(picture([1]))
        unanswered.daemon.stop()
    }

    @Test("an answer that nobody could read while the half of its time passed, as in a stop, is in time")
    func stopped() async throws {
        let unanswered = try await UnansweredCall()
        let (viewer, answers) = (unanswered.viewer, unanswered.answers)
        #expect(try viewer.timers.passNext { $0 == .seconds(5) } == .seconds(5))
        await #expect(viewer.follower.timersThatWait(viewer.timers) == 1)
        unanswered.gate.open()
        #expect(try answers.take("the call was answered").get().changed == [true])
        await #expect(viewer.follower.timersThatWait(viewer.timers) == 0)
        unanswered.daemon.stop()
    }
}

/// A call of a viewer that shows a picture, to a daemon that says nothing more until the gate is open.
private struct UnansweredCall {
    let daemon: PictureService
    let viewer: WaitingViewer
    let gate: Gate
    let answers: Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>

    init() async throws {
        daemon = try PictureService(picture([1]), epoch: "a", in: TemporaryFolder())
        viewer = try WaitingViewer(daemon.folder)
        await viewer.follower.start()
        try viewer.waitForPicture(picture([1]))
        gate = try daemon.fallSilent()
        let answers = try Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>()
        self.answers = answers
        await viewer.follower.call(UnfavoriteMethod.self, ChangeParameters(ids: ["t:1"])) { answers.put($0) }
    }
}

/// A follower whose time passes by hand, and what it tells.
private final class WaitingViewer: Sendable {
    let told: Mailbox<DaemonFollower.Event>
    let timers: HandTimers
    let follower: DaemonFollower
    private let loop: EventLoop

    init(_ folder: TemporaryFolder) throws {
        let told = try Mailbox<DaemonFollower.Event>()
        loop = try EventLoop()
        let timers = try HandTimers(loop)
        self.told = told
        self.timers = timers
        follower = DaemonFollower(paths: [folder.path("socket")], loop: loop, schedule: timers.schedule) {
            told.put($0)
        }
        try loop.start(name: "follower")
    }

    deinit {
        loop.stop()
    }

    func waitForPicture(_ expected: JokeSnapshot) throws {
        while true {
            if case .changed(let snapshot) = try told.take("the picture came"), snapshot == expected { return }
        }
    }
}

extension DaemonFollower {
    /// Counted on its loop, after what it does there.
    fileprivate func timersThatWait(_ timers: HandTimers) -> Int {
        timers.count
    }
}

/// Timers that are due when the test says so.
private final class HandTimers: Sendable {
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

    /// How many wait.
    var count: Int {
        waiting.withLock { $0.count }
    }

    /// Lets the next timer that waits, of those set in this order, be due; answers how long it would have waited.
    func passNext(where isMeant: (Duration) -> Bool = { _ in true }) throws -> Duration {
        while true {
            let number = try set.take("a timer was set")
            let timer = waiting.withLock { timers -> Timer? in
                guard let timer = timers[number], isMeant(timer.pause) else { return nil }
                timers[number] = nil
                return timer
            }
            guard let timer else { continue }
            loop.perform { timer.action() }
            return timer.pause
        }
    }
}
