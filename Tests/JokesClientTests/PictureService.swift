import Diffable
import JokesCore
import JokesProtocol
import TestSupport
import Unix
import Varlink

/// A daemon that knows `Watch` and `Unfavorite` alone, on a loop of its own: what it shows is what the test tells it.
final class PictureService: Sendable {
    let folder: TemporaryFolder
    let path: String
    private let state: PictureState
    private let loop: VarlinkLoop
    private let service: VarlinkService

    /// The socket is in the folder: that of an earlier service for one that comes back.
    init(_ picture: JokeSnapshot, epoch: String, in folder: TemporaryFolder) throws {
        let loop = try VarlinkLoop()
        let state = PictureState(loop, picture, epoch)
        let interface = try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .handle(WatchMethod.name) { call in try state.assumeIsolated { try $0.watch(call) } },
                .answer(UnfavoriteMethod.name) { (parameters: ChangeParameters) -> ChangeReply in
                    guard parameters.ids == ["t:1"] else {
                        let error = JokesError.noSuchJoke(id: parameters.ids.joined())
                        throw ErrorReply(error.fullName, error.parameters)
                    }
                    return ChangeReply(ids: parameters.ids, changed: [true])
                },
            ])
        service = VarlinkService(
            ServiceInformation(vendor: "tests", product: "pictures", version: "1", url: "https://example.org/"),
            interfaces: [interface], on: loop, explain: { _ in .permissionDenied })
        self.folder = folder
        self.state = state
        self.loop = loop
        path = folder.path("socket")
        try service.listen(at: path)
        try loop.start(name: "pictures")
    }

    /// Sends what leads to the next picture; with `base`, as if it led from another generation than it does.
    func show(_ picture: JokeSnapshot, base: Int64? = nil) async throws {
        try await state.show(picture, base: base)
    }

    /// What the watchers asked for, in order.
    var requests: [WatchMethod.Parameters] {
        get async { await state.requests }
    }

    /// Says and hears nothing from now on until the gate is opened.
    func fallSilent() throws -> Gate {
        let gate = try Gate()
        let silence = try Mailbox<Void>()
        loop.perform {
            silence.put(())
            // It may throw only where the deadline passes: then the test has failed already.
            try? waitUntil(gate.descriptor, isReadyFor: 0)
        }
        try silence.take("it fell silent")
        return gate
    }

    /// Closes the socket and all connections, as the end of the process would.
    func stop() {
        loop.perform { [state, service, loop] in
            service.stop()
            // Calls that are dropped later would wait for a loop that no longer runs.
            state.assumeIsolated { $0.watchers = [] }
            loop.stop()
        }
    }
}

private actor PictureState {
    private let loop: VarlinkLoop
    private let epoch: String
    private var picture: JokeSnapshot
    private var generation: Int64 = 1
    var watchers: [VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>] = []
    private(set) var requests: [WatchMethod.Parameters] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(_ loop: VarlinkLoop, _ picture: JokeSnapshot, _ epoch: String) {
        self.loop = loop
        self.picture = picture
        self.epoch = epoch
    }

    func watch(_ call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) throws {
        requests.append(call.parameters)
        watchers.append(call)
        // As small pieces as can be, so that there are several.
        let pieces = Wire.pieces(of: picture, bytesEach: 1)
        for (number, piece) in pieces.enumerated() {
            call.send(
                WatchMethod.Reply(
                    epoch: epoch, generation: generation, complete: number == pieces.count - 1, snapshot: piece))
        }
    }

    func show(_ next: JokeSnapshot, base: Int64?) throws {
        let difference = SnapshotDifference(from: picture, to: next)
        let wire = Wire.Difference(difference, base: base ?? generation, to: next)
        generation += 1
        picture = next
        for call in watchers {
            call.send(WatchMethod.Reply(epoch: epoch, generation: generation, difference: wire))
        }
    }
}

/// A picture of jokes `t:N`.
func picture(_ numbers: [Int]) throws -> JokeSnapshot {
    var snapshot = JokeSnapshot()
    let section = Section.jokes(JokesHeader(cached: numbers.count))
    try snapshot.appendSections([section])
    let jokes = numbers.map { number in
        Item.joke(
            Joke(
                id: JokeID(rawValue: "t:\(number)"), content: JokeContent(text: .single("Joke \(number).")),
                isStarred: false, firstSeen: Timestamp(microseconds: 0)))
    }
    try snapshot.appendItems(jokes, toSection: section.id)
    return snapshot
}
