import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// A daemon that accepts calls and does not answer, such as a stopped process.
@Suite struct BlockedDaemonTests {
    private let timeout = ClientError.timedOut(after: .seconds(10))

    @Test(
        "a daemon that does not answer is unreachable after ten seconds, and tried again after longer pauses")
    func neverAnswers() async throws {
        let folder = try TemporaryFolder()
        // The kernel accepts connections for it, and nothing reads from them.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let viewer = try Viewer(folder, hasManualTimers: true)
        await viewer.follower.start()
        var pauses: [Duration] = []
        for _ in 0..<6 {
            for _ in 0..<2 { #expect(try viewer.timers.fireNext() == .seconds(5)) }
            let (error, pause) = try viewer.nextLoss()
            #expect(error.sentence == timeout.sentence)
            #expect(try viewer.timers.fireNext() == pause)
            pauses.append(pause)
        }
        // Each is twice the one before, and up to a quarter shorter or longer.
        #expect(zip(pauses, pauses.dropFirst(2)).allSatisfy { $0 < $1 }, "\(pauses)")
        await viewer.follower.close()
        #expect(socket.rawValue >= 0)
    }

    @Test("no timer runs after the snapshot is complete, or after a call is answered")
    func noTimer() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1, 2, 3]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder, hasManualTimers: true)
        await viewer.follower.start()
        try viewer.waitForSnapshot(jokeSnapshot([1, 2, 3]))
        await #expect(viewer.follower.waitingTimers(viewer.timers) == 0)
        let answers = try Mailbox<Bool>()
        await viewer.follower.call(UnfavoriteMethod.self, JokeIDs(ids: ["t:1"])) { _ in answers.put(true) }
        _ = try answers.take("the call was answered")
        await #expect(viewer.follower.waitingTimers(viewer.timers) == 0)
        await viewer.follower.follow(View(query: "duck"))
        try viewer.waitForSnapshot(jokeSnapshot([1, 2, 3]))
        await #expect(viewer.follower.waitingTimers(viewer.timers) == 0)
        daemon.stop()
    }

    @Test("a call without a timeout sets no timer, and waits until the daemon answers or the follower is closed")
    func slowCall() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder, hasManualTimers: true)
        await viewer.follower.start()
        try viewer.waitForSnapshot(jokeSnapshot([1]))
        let answers = try Mailbox<Bool>()
        for closes in [false, true] {
            let gate = try daemon.blockLoop()
            await viewer.follower.callWithoutTimeout(UnfavoriteMethod.self, JokeIDs(ids: ["t:1"])) { result in
                answers.put((try? result.get())?.changed == [true])
            }
            await #expect(viewer.follower.waitingTimers(viewer.timers) == 0)
            if closes { await viewer.follower.close() } else { gate.open() }
            #expect(try answers.take("the call has ended") == !closes)
            if closes { gate.open() }
        }
        daemon.stop()
    }

    @Test("if the daemon stops answering, the next call and the stream fail with a timeout")
    func fallsSilent() async throws {
        let unanswered = try await UnansweredCall()
        let (viewer, answers) = (unanswered.viewer, unanswered.answers)
        for _ in 0..<2 { #expect(try viewer.timers.fireNext { $0 == .seconds(5) } == .seconds(5)) }
        let answer = try answers.take("the call failed")
        #expect(#expect(throws: ClientError.self) { try answer.get() }?.sentence == timeout.sentence)
        let (error, pause) = try viewer.nextLoss()
        #expect(error.sentence == timeout.sentence)
        unanswered.gate.open()
        #expect(try viewer.timers.fireNext { $0 < .seconds(5) } == pause)
        try viewer.waitForSnapshot(jokeSnapshot([1]))
        unanswered.daemon.stop()
    }

    @Test("an answer that arrived while this process was stopped is in time")
    func stopped() async throws {
        let unanswered = try await UnansweredCall()
        let (viewer, answers) = (unanswered.viewer, unanswered.answers)
        #expect(try viewer.timers.fireNext { $0 == .seconds(5) } == .seconds(5))
        await #expect(viewer.follower.waitingTimers(viewer.timers) == 1)
        unanswered.gate.open()
        #expect(try answers.take("the call was answered").get().changed == [true])
        await #expect(viewer.follower.waitingTimers(viewer.timers) == 0)
        unanswered.daemon.stop()
    }

    @Test("a blocking call and a stream without a first reply time out")
    func blockingCalls() throws {
        let folder = try TemporaryFolder()
        // The kernel accepts connections for it, and nothing reads from them.
        let socket = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let timeout = Duration.milliseconds(20)
        let calls: [(JokesConnection) throws -> Void] = [
            { _ = try $0.call(StatusMethod.self, JokesProtocol.NoParameters()) },
            { try $0.stream(RefreshMethod.self, RefreshMethod.Parameters(sources: nil)) { _ in } },
        ]
        for call in calls {
            let connection = JokesConnection(to: [folder.path("socket")], timeout: timeout)
            let error = #expect(throws: ClientError.self) { try call(connection) }
            #expect(error?.sentence == ClientError.timedOut(after: timeout).sentence)
        }
        #expect(socket.rawValue >= 0)
    }
}

/// A call of a viewer with a snapshot, to a daemon that does not answer until the gate is open.
private struct UnansweredCall {
    let daemon: SnapshotService
    let viewer: Viewer
    let gate: Gate
    let answers: Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>

    init() async throws {
        daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        viewer = try Viewer(daemon.folder, hasManualTimers: true)
        await viewer.follower.start()
        try viewer.waitForSnapshot(jokeSnapshot([1]))
        gate = try daemon.blockLoop()
        let answers = try Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>()
        self.answers = answers
        await viewer.follower.call(UnfavoriteMethod.self, JokeIDs(ids: ["t:1"])) { answers.put($0) }
    }
}

extension DaemonFollower {
    /// Counted on the loop, after pending work.
    fileprivate func waitingTimers(_ timers: ManualTimers) -> Int {
        timers.count
    }
}
