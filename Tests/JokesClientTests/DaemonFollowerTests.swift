import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

@Suite struct DaemonFollowerTests {
    /// A follower on a loop of its own, and what it tells.
    private final class Viewer: Sendable {
        let told: Mailbox<DaemonFollower.Event>
        let follower: DaemonFollower
        private let loop: EventLoop

        init(_ folder: TemporaryFolder) throws {
            let told = try Mailbox<DaemonFollower.Event>()
            let loop = try EventLoop()
            self.told = told
            self.loop = loop
            follower = DaemonFollower(paths: [folder.path("socket")], loop: loop) { told.put($0) }
            try loop.start(name: "follower")
        }

        deinit {
            loop.stop()
        }

        /// The picture that is told next, after that it is being looked for.
        func nextPicture() throws -> JokeSnapshot {
            while true {
                if case .changed(let snapshot) = try told.take("a picture came") { return snapshot }
            }
        }

        /// Whether nothing but pictures is told until this one is.
        func tellsPictures(until last: JokeSnapshot) throws -> Bool {
            while true {
                guard case .changed(let snapshot) = try told.take("a picture came") else { return false }
                if snapshot == last { return true }
            }
        }

        func nextAbsence() throws -> ClientError {
            while true {
                if case .away(let error, _) = try told.take("the daemon was lost") { return error }
            }
        }
    }

    @Test("the picture's beginning comes first where it is in pieces, then all of it, and then differences")
    func follow() async throws {
        let daemon = try PictureService(picture([1, 2, 3]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        let beginning = try Wire.snapshot(of: Wire.pieces(of: picture([1, 2, 3]), bytesEach: 1)[0])
        try #expect(viewer.nextPicture() == beginning)
        try #expect(viewer.nextPicture() == picture([1, 2, 3]))
        try await daemon.show(picture([4, 1, 3]))
        try #expect(viewer.nextPicture() == picture([4, 1, 3]))
        daemon.stop()
    }

    @Test("rows of a kind that came later are passed over, and what changes around them is followed")
    func strangers() async throws {
        func strange(_ numbers: [Int]) throws -> JokeSnapshot {
            var picture = try picture(numbers)
            try picture.appendSections([.unknown(UnknownKind(kind: "videos", id: "videos"))])
            try picture.appendItems([.unknown(UnknownKind(kind: "video", id: "v"))], toSection: .unknown("videos"))
            try picture.insertItems(
                [.unknown(UnknownKind(kind: "video", id: "w"))], beforeItem: .joke(JokeID(rawValue: "t:1")))
            return picture
        }
        let daemon = try PictureService(strange([1, 2]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        while try viewer.nextPicture() != picture([1, 2]) {}
        try await daemon.show(strange([3, 2, 1]))
        try #expect(viewer.nextPicture() == picture([3, 2, 1]))
        daemon.stop()
    }

    @Test("another view is asked for from the generation that is here, and nothing else is said")
    func anotherView() async throws {
        let daemon = try PictureService(picture([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        try #expect(viewer.nextPicture() == picture([1]))
        let views = ["d", "du", "du"].map { Wire.View(query: $0) }
        for view in views { await viewer.follower.follow(view) }
        try await daemon.show(picture([2]))
        try #expect(viewer.tellsPictures(until: picture([2])))
        let known = WatchMethod.Parameters(epoch: "a", generation: 1)
        await #expect(daemon.requests.first == WatchMethod.Parameters())
        await #expect(daemon.requests.last == WatchMethod.Parameters(view: views[1], epoch: "a", generation: 1))
        await #expect(daemon.requests.dropFirst().allSatisfy { $0.generation == known.generation })
        daemon.stop()
    }

    @Test("while the daemon is away, each letter that is searched for tries it at once, and the pauses stay short")
    func typingWhileAway() async throws {
        let viewer = try Viewer(TemporaryFolder())
        await viewer.follower.start()
        for query in ["d", "du", "duc", "duck", "duck ", "duck g", "duck go"] {
            _ = try viewer.nextAbsence()
            await viewer.follower.follow(Wire.View(query: query))
        }
        guard case .away(_, let pause) = try viewer.told.take("the daemon was away") else {
            Issue.record("something else is told")
            return
        }
        // The eighth in a row would be half a minute.
        #expect(pause < .seconds(10))
        await viewer.follower.close()
    }

    @Test("a daemon that comes back is asked for the view that was followed last, from the generation that is here")
    func rejoined() async throws {
        let folder = try TemporaryFolder()
        let first = try PictureService(picture([1]), epoch: "a", in: folder)
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        _ = try viewer.nextPicture()
        let view = Wire.View(query: "duck", size: 100)
        await viewer.follower.follow(view)
        try #expect(viewer.nextPicture() == picture([1]))
        first.stop()
        _ = try viewer.nextAbsence()
        let second = try await comeBack(picture([2]), epoch: "a", in: folder)
        try #expect(viewer.nextPicture() == picture([2]))
        await #expect(second.requests == [WatchMethod.Parameters(view: view, epoch: "a", generation: 1)])
        second.stop()
    }

    @Test("a daemon that is not there is said, and found at once when one asks for it")
    func absent() async throws {
        let folder = try TemporaryFolder()
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        guard case .unreachable(folder.path("socket"), _, _) = try viewer.nextAbsence() else {
            Issue.record("the absence has another reason")
            return
        }
        let daemon = try PictureService(picture([1]), epoch: "a", in: folder)
        await viewer.follower.reconnect()
        try #expect(viewer.nextPicture() == picture([1]))
        daemon.stop()
    }

    @Test("a daemon that comes back is found without being asked for, and asked for what is missing")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try PictureService(picture([1]), epoch: "a", in: folder)
        let viewer = try Viewer(folder)
        await viewer.follower.start()
        _ = try viewer.nextPicture()
        first.stop()
        _ = try viewer.nextAbsence()
        let second = try await comeBack(picture([2]), epoch: "b", in: folder)
        try #expect(viewer.nextPicture() == picture([2]))
        await #expect(second.requests == [WatchMethod.Parameters(epoch: "a", generation: 1)])
        second.stop()
    }

    @Test("after a difference that does not fit, the whole picture is asked for")
    func misfit() async throws {
        let daemon = try PictureService(picture([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextPicture()
        try await daemon.show(picture([2]), base: 77)
        guard case .broken = try viewer.nextAbsence() else {
            Issue.record("the absence has another reason")
            return
        }
        try #expect(viewer.nextPicture() == picture([2]))
        await #expect(daemon.requests == [WatchMethod.Parameters(), WatchMethod.Parameters()])
        daemon.stop()
    }

    @Test("calls are answered beside the stream, refused by name, and failed where nobody is there")
    func calls() async throws {
        let daemon = try PictureService(picture([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextPicture()
        try #expect(await unfavorite("t:1", viewer).get().changed == [true])
        guard case .failure(.refused(.noSuchJoke("t:2"))) = try await unfavorite("t:2", viewer) else {
            Issue.record("the refusal is not what the daemon said")
            return
        }
        daemon.stop()
        _ = try viewer.nextAbsence()
        guard case .failure = try await unfavorite("t:1", viewer) else {
            Issue.record("nobody answered, and the call did not fail")
            return
        }
    }

    @Test("after the end nothing is told any more")
    func close() async throws {
        let daemon = try PictureService(picture([1]), epoch: "a", in: TemporaryFolder())
        let viewer = try Viewer(daemon.folder)
        await viewer.follower.start()
        _ = try viewer.nextPicture()
        await viewer.follower.close()
        try await daemon.show(picture([2]))
        daemon.stop()
        await viewer.follower.reconnect()
        await viewer.follower.start()
        await viewer.follower.close()
        #expect(viewer.told.takeAll().isEmpty)
    }

    private func unfavorite(_ id: String, _ viewer: Viewer) async throws -> Result<UnfavoriteMethod.Reply, ClientError>
    {
        let answers = try Mailbox<Result<UnfavoriteMethod.Reply, ClientError>>()
        await viewer.follower.call(UnfavoriteMethod.self, ChangeParameters(ids: [id])) { answers.put($0) }
        return try answers.take("the call was answered")
    }

    /// A service at the place of one that is being stopped.
    private func comeBack(_ picture: JokeSnapshot, epoch: String, in folder: TemporaryFolder) async throws
        -> PictureService
    {
        var service: PictureService?
        try await waitUntil("the socket was free") {
            service = try? PictureService(picture, epoch: epoch, in: folder)
            return service != nil
        }
        return try #require(service)
    }
}
