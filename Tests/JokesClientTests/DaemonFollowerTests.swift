import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

@Suite struct DaemonFollowerTests {
    /// A follower with its own loop, and its events.
    private final class Viewer: Sendable {
        let events: Mailbox<DaemonFollower.Event>
        let follower: DaemonFollower
        private let loop: EventLoop

        init(_ folder: TemporaryFolder) throws {
            let events = try Mailbox<DaemonFollower.Event>()
            let loop = try EventLoop()
            self.events = events
            self.loop = loop
            follower = DaemonFollower(paths: [folder.path("socket")], loop: loop) { events.put($0) }
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

        /// Returns whether all events up to this snapshot are snapshots.
        func getsOnlySnapshots(until last: JokeSnapshot) throws -> Bool {
            while true {
                guard case .changed(let snapshot, _) = try events.take("a snapshot came") else { return false }
                if snapshot == last { return true }
            }
        }

        func nextError() throws -> ClientError {
            while true {
                if case .unreachable(let error, _) = try events.take("the daemon was lost") { return error }
            }
        }
    }

    @Test("a snapshot in pieces is shown from its beginning, then whole, and then changed by differences")
    func follow() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1, 2, 3]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        let beginning = try Wire.snapshot(of: Wire.pieces(of: jokeSnapshot([1, 2, 3]), bytesEach: 1)[0])
        try #expect(viewer.nextSnapshot() == beginning)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1, 2, 3]))
        try await daemon.show(jokeSnapshot([4, 1, 3]))
        try #expect(viewer.nextSnapshot() == jokeSnapshot([4, 1, 3]))
        daemon.stop()
    }

    @Test("items of unknown kinds are not shown, and changes around them are followed")
    func unknownKinds() async throws {
        func strange(_ numbers: [Int]) throws -> JokeSnapshot {
            var snapshot = try jokeSnapshot(numbers)
            snapshot.appendSections([.unknown(UnknownKind(kind: "videos", id: "videos"))])
            try snapshot.appendItems([.unknown(UnknownKind(kind: "video", id: "v"))], toSection: .unknown("videos"))
            try snapshot.insertItems(
                [.unknown(UnknownKind(kind: "video", id: "w"))], beforeItem: .joke(JokeID(rawValue: "t:1")))
            return snapshot
        }
        let daemon = try SnapshotService(strange([1, 2]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        while try viewer.nextSnapshot() != jokeSnapshot([1, 2]) {}
        try await daemon.show(strange([3, 2, 1]))
        try #expect(viewer.nextSnapshot() == jokeSnapshot([3, 2, 1]))
        daemon.stop()
    }

    @Test("another view is requested from the known generation, without other events")
    func anotherView() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        let views = ["d", "du", "du"].map { View(query: $0) }
        for view in views { await viewer.follower.follow(view) }
        try await daemon.show(jokeSnapshot([2]))
        try #expect(viewer.getsOnlySnapshots(until: jokeSnapshot([2])))
        let known = WatchMethod.Parameters(epoch: "a", generation: 1)
        await #expect(daemon.requests.first == WatchMethod.Parameters())
        await #expect(daemon.requests.last == WatchMethod.Parameters(view: views[1], epoch: "a", generation: 1))
        await #expect(daemon.requests.dropFirst().allSatisfy { $0.generation == known.generation })
        daemon.stop()
    }

    @Test("the same view is requested again, and its snapshot comes even without a change")
    func sameView() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        await viewer.follower.follow(nil)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        await #expect(daemon.requests.count == 2)
        daemon.stop()
    }

    @Test("if the daemon is unreachable, each new search tries it at once, and the pauses stay short")
    func typingWhileAway() async throws {
        let viewer = try Viewer(TemporaryFolder())
        await viewer.follower.start()
        for query in ["d", "du", "duc", "duck", "duck ", "duck g", "duck go"] {
            _ = try viewer.nextError()
            await viewer.follower.follow(View(query: query))
        }
        guard case .unreachable(_, let pause) = try viewer.events.take("the daemon was unreachable") else {
            Issue.record("something else is events")
            return
        }
        // The eighth in a row would be half a minute.
        #expect(pause < .seconds(10))
        await viewer.follower.close()
    }

    @Test("a restarted daemon is asked for the last view, from the known generation")
    func rejoined() async throws {
        let folder = try TemporaryFolder()
        let first = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: folder)
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        let view = View(query: "duck", size: 100)
        await viewer.follower.follow(view)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        first.stop()
        _ = try viewer.nextError()
        let second = try await restart(jokeSnapshot([2]), epoch: "a", in: folder)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([2]))
        await #expect(second.requests == [WatchMethod.Parameters(view: view, epoch: "a", generation: 1)])
        second.stop()
    }

    @Test("an unreachable daemon is reported, and found at once by a reconnect")
    func absent() async throws {
        let folder = try TemporaryFolder()
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        guard case .unreachable(folder.path("socket"), _, _) = try viewer.nextError() else {
            Issue.record("the absence has another reason")
            return
        }
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: folder)
        await viewer.follower.reconnect()
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        daemon.stop()
    }

    @Test("a restarted daemon is found automatically, and asked for what is missing")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: folder)
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        first.stop()
        _ = try viewer.nextError()
        let second = try await restart(jokeSnapshot([2]), epoch: "b", in: folder)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([2]))
        await #expect(second.requests == [WatchMethod.Parameters(epoch: "a", generation: 1)])
        second.stop()
    }

    @Test("after a difference that does not apply, the whole snapshot is requested")
    func misfit() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        try await daemon.show(jokeSnapshot([2]), base: 77)
        guard case .broken = try viewer.nextError() else {
            Issue.record("the absence has another reason")
            return
        }
        try #expect(viewer.nextSnapshot() == jokeSnapshot([2]))
        await #expect(daemon.requests == [WatchMethod.Parameters(), WatchMethod.Parameters()])
        daemon.stop()
    }

    @Test("calls are answered beside the stream, refused with a named error, or fail without a daemon")
    func calls() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        try #expect(await unfavorite("t:1", viewer).get().changed == [true])
        guard case .failure(.refused(.noSuchJoke("t:2"))) = try await unfavorite("t:2", viewer) else {
            Issue.record("the refusal is not what the daemon said")
            return
        }
        daemon.stop()
        _ = try viewer.nextError()
        guard case .failure = try await unfavorite("t:1", viewer) else {
            Issue.record("nobody answered, and the call did not fail")
            return
        }
    }

    @Test("after close, there are no events")
    func close() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        await viewer.follower.close()
        try await daemon.show(jokeSnapshot([2]))
        daemon.stop()
        await viewer.follower.reconnect()
        await viewer.follower.start()
        await viewer.follower.close()
        #expect(viewer.events.takeAll().isEmpty)
    }

    private func unfavorite(_ id: String, _ viewer: Viewer) async throws -> Result<UnfavoriteMethod.Reply, ClientError>
    {
        let answers = try Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>()
        await viewer.follower.call(UnfavoriteMethod.self, JokeIDs(ids: [id])) { answers.put($0) }
        return try answers.take("the call was answered")
    }

    /// Starts a service at the socket of one that is being stopped.
    private func restart(_ snapshot: JokeSnapshot, epoch: String, in folder: TemporaryFolder) async throws
        -> SnapshotService
    {
        var service: SnapshotService?
        try await waitUntil("the socket was free") {
            service = try? SnapshotService(snapshot, epoch: epoch, in: folder)
            return service != nil
        }
        return try #require(service)
    }
}
