import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

@Suite struct DaemonFollowerTests {
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
            _ = try viewer.nextLoss()
            await viewer.follower.follow(View(query: query))
        }
        // The eighth pause in a row would be half a minute.
        try #expect(viewer.nextLoss().pause < .seconds(10))
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
        _ = try viewer.nextLoss()
        var restarted: SnapshotService?
        try await waitUntil("the socket was free") {
            restarted = try? SnapshotService(jokeSnapshot([2]), epoch: "a", in: folder)
            return restarted != nil
        }
        let second = try #require(restarted)
        try #expect(viewer.nextSnapshot() == jokeSnapshot([2]))
        await #expect(second.requests == [WatchMethod.Parameters(view: view, epoch: "a", generation: 1)])
        second.stop()
    }

    @Test("an unreachable daemon is reported, and found at once by a reconnect")
    func absent() async throws {
        let folder = try TemporaryFolder()
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        let error = try viewer.nextLoss().error
        #expect(error.sentence.hasPrefix("Cannot connect to the daemon at \(folder.path("socket"))"))
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: folder)
        await viewer.follower.reconnect()
        try #expect(viewer.nextSnapshot() == jokeSnapshot([1]))
        daemon.stop()
    }

    @Test("after a difference that does not apply, the whole snapshot is requested")
    func misfit() async throws {
        let daemon = try SnapshotService(jokeSnapshot([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextSnapshot()
        try await daemon.show(jokeSnapshot([2]), base: 77)
        try #expect(viewer.nextLoss().error.sentence == "The daemon sent a difference to an unknown snapshot.")
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
        let refused = try await unfavorite("t:2", viewer)
        #expect(#expect(throws: ClientError.self) { try refused.get() }?.sentence == "No joke matches 't:2'.")
        daemon.stop()
        _ = try viewer.nextLoss()
        let unanswered = try await unfavorite("t:1", viewer)
        #expect(throws: ClientError.self) { try unanswered.get() }
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
}
