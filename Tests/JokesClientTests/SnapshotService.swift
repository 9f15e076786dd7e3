import Diffable
import JokesCore
import JokesProtocol
import TestSupport
import Unix
import Varlink

/// A daemon with `Watch` and `Unfavorite` alone, and its own loop. Tests choose its snapshots.
final class SnapshotService: Sendable {
    let folder: TemporaryFolder
    let path: String
    private let state: SnapshotState
    private let loop: VarlinkLoop
    private let service: VarlinkService

    /// The socket is in the folder. A restarted service gets the folder of the earlier one.
    init(_ snapshot: JokeSnapshot, epoch: String, in folder: TemporaryFolder) throws {
        let loop = try VarlinkLoop()
        let state = SnapshotState(loop, snapshot, epoch)
        let interface = try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .handle(WatchMethod.name) { call in try state.assumeIsolated { try $0.watch(call) } },
                .answer(UnfavoriteMethod.name) { (parameters: JokeIDs) -> ChangeReply in
                    guard parameters.ids == ["t:1"] else {
                        let error = JokesError.noSuchJoke(id: parameters.ids.joined())
                        throw ErrorReply(error, of: JokesInterface.name)
                    }
                    return ChangeReply(ids: parameters.ids, changed: [true])
                },
            ])
        service = VarlinkService(
            ServiceInformation(vendor: "tests", product: "snapshots", version: "1", url: "https://example.org/"),
            interfaces: [interface], on: loop, explain: { _ in .permissionDenied })
        self.folder = folder
        self.state = state
        self.loop = loop
        path = folder.path("socket")
        try service.listen(at: path)
        try loop.start(name: "snapshots")
    }

    /// Sends the difference to the next snapshot; with `base`, a wrong one that names another generation.
    func show(_ snapshot: JokeSnapshot, base: Int64? = nil) async throws {
        try await state.show(snapshot, base: base)
    }

    /// The parameters of all calls of `Watch`, in order.
    var requests: [WatchMethod.Parameters] {
        get async { await state.requests }
    }

    /// Blocks the loop until the gate is opened.
    func blockLoop() throws -> Gate {
        let gate = try Gate()
        let silence = try Mailbox<Void>()
        loop.perform {
            silence.put(())
            // It throws only if the deadline passes: then the test has failed already.
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

private actor SnapshotState {
    private let loop: VarlinkLoop
    private let epoch: String
    private var snapshot: JokeSnapshot
    private var generation: Int64 = 1
    var watchers: [VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>] = []
    private(set) var requests: [WatchMethod.Parameters] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(_ loop: VarlinkLoop, _ snapshot: JokeSnapshot, _ epoch: String) {
        self.loop = loop
        self.snapshot = snapshot
        self.epoch = epoch
    }

    func watch(_ call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) throws {
        requests.append(call.parameters)
        watchers.append(call)
        // The smallest pieces, so that there are several.
        let pieces = Wire.pieces(of: snapshot, bytesEach: 1)
        for (number, piece) in pieces.enumerated() {
            call.send(
                WatchMethod.Reply(
                    epoch: epoch, generation: generation, complete: number == pieces.count - 1, snapshot: piece))
        }
    }

    func show(_ next: JokeSnapshot, base: Int64?) throws {
        let difference = try SnapshotDifference(from: snapshot, to: next)
        let wire = Wire.Difference(difference, base: base ?? generation, to: next)
        generation += 1
        snapshot = next
        for call in watchers {
            call.send(WatchMethod.Reply(epoch: epoch, generation: generation, difference: wire))
        }
    }
}

/// Returns a snapshot of the jokes `t:N`.
func jokeSnapshot(_ numbers: [Int]) throws -> JokeSnapshot {
    var snapshot = JokeSnapshot()
    let section = Section.jokes(JokesHeader(shown: numbers.count))
    snapshot.appendSections([section])
    let jokes = numbers.map { number in
        Item.joke(
            Joke(
                id: JokeID(rawValue: "t:\(number)"), content: JokeContent(text: .single("Joke \(number).")),
                isFavorite: false, firstSeen: Timestamp(microseconds: 0)))
    }
    try snapshot.appendItems(jokes, toSection: section.id)
    return snapshot
}
