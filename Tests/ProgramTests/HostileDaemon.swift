import Diffable
import JokesCore
import JokesProtocol
import TestSupport
import Varlink

/// A malicious server at the daemon's socket, with uncleaned text in jokes, headers, IDs and errors.
final class HostileDaemon {
    let socket: String
    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    init(_ texts: [String]) throws {
        folder = try TemporaryFolder()
        socket = folder.path("s")
        loop = try VarlinkLoop()
        let snapshot = try Self.snapshot(texts)
        let all = texts.joined()
        let refusal = JokesError.storageUnavailable(reason: all)
        let interface = try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .handle(WatchMethod.name) { (call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) in
                    call.send(
                        WatchMethod.Reply(
                            epoch: all, generation: 1, complete: true, snapshot: Wire.pieces(of: snapshot)[0]))
                    // The call stays open as long as the viewer runs.
                    call.onClosed { withExtendedLifetime(call) {} }
                },
                .answer(FavoriteMethod.name) { (_: FavoriteMethod.Parameters) -> FavoriteMethod.Reply in
                    throw ErrorReply(refusal, of: JokesInterface.name)
                },
                .answer(RefreshMethod.name) { (_: RefreshMethod.Parameters) in
                    RefreshMethod.Reply(sources: texts.map { RefreshedSource(name: $0, state: .started) })
                },
            ])
        service = VarlinkService(
            ServiceInformation(vendor: all, product: all, version: all, url: all), interfaces: [interface],
            on: loop, explain: { _ in .permissionDenied })
        try service.listen(at: socket)
        try loop.start(name: "hostile")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }

    private static func snapshot(_ texts: [String]) throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.jokes(JokesHeader(shown: texts.count, failing: texts))])
        let jokes = texts.enumerated().map { number, text in
            let content = JokeContent(
                text: .twoPart(setup: text, punchline: "Punchline " + text), language: text, categories: [text],
                details: JokeDetails(url: text, author: text, date: text))
            return Item.joke(
                Joke(
                    id: JokeID(rawValue: "\(text)\(number):\(text)"), content: content, isFavorite: false,
                    firstSeen: Timestamp(microseconds: 0)))
        }
        try snapshot.appendItems(jokes, toSection: .jokes)
        return snapshot
    }
}
