import Diffable
import JokesCore
import JokesProtocol
import Varlink

extension OtherDaemon {
    /// A malicious server, with uncleaned text in jokes, headers, IDs and errors.
    static func hostile(_ texts: [String]) throws -> OtherDaemon {
        let snapshot = try snapshot(texts)
        let all = texts.joined()
        return try OtherDaemon(
            vendor: all, product: all, version: all, url: all, JokesInterface.description,
            methods: [
                .handle(WatchMethod.name) { (call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) in
                    call.send(
                        WatchMethod.Reply(
                            epoch: all, generation: 1, complete: true, snapshot: Wire.pieces(of: snapshot)[0]))
                    // The call stays open as long as the viewer runs.
                    call.onClosed { withExtendedLifetime(call) {} }
                },
                .answer(FavoriteMethod.name) { (_: FavoriteMethod.Parameters) -> FavoriteMethod.Reply in
                    throw ErrorReply(JokesError.storageUnavailable(reason: all), of: JokesInterface.name)
                },
                .answer(RefreshMethod.name) { (_: RefreshMethod.Parameters) in
                    RefreshMethod.Reply(sources: texts.map { RefreshedSource(name: $0, state: .started) })
                },
            ])
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
