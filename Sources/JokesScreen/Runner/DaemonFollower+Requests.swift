import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension DaemonFollower {
    /// Sends a request of the viewer; `take` gets the answer on the loop, if there is one.
    func perform(_ request: Request, _ take: @escaping @Sendable (Message) -> Void) {
        switch request {
        case .watch(let view): follow(view)
        case .star(let joke, isStarred: true):
            call(FavoriteMethod.self, .init(ids: [joke.rawValue])) { take(.starAnswered(joke, refusal: refusal($0))) }
        case .star(let joke, isStarred: false):
            call(UnfavoriteMethod.self, .init(ids: [joke.rawValue])) {
                take(.starAnswered(joke, refusal: refusal($0)))
            }
        case .restore(let favorite, let joke):
            // Adding it would make a favorite of the joke as it is now, if the joke is still there.
            let parameters = ImportMethod.Parameters(id: nil, [.favorite(favorite)], isLast: true)
            call(ImportMethod.self, parameters) { take(.starAnswered(joke, refusal: refusal($0))) }
        case .hide(let joke, isHidden: true):
            call(HideMethod.self, .init(ids: [joke.rawValue])) { take(.hideAnswered(joke, refusal: refusal($0))) }
        case .hide(let joke, isHidden: false):
            call(UnhideMethod.self, .init(ids: [joke.rawValue])) { take(.hideAnswered(joke, refusal: refusal($0))) }
        case .refresh(let sources):
            call(RefreshMethod.self, RefreshMethod.Parameters(sources: sources)) { result in
                switch result {
                case .success(let reply): take(.refreshAnswered(reply.sources))
                case .failure(.refused(.noSuchSource)): take(.refreshFoundNoSource)
                case .failure(let error): take(.refreshRefused(error.words))
                }
            }
        case .sources:
            call(SourcesMethod.self, NoParameters()) { result in
                switch result {
                case .success(let reply): take(.sourcesAnswered(reply.sources))
                case .failure(let error): take(.sourcesRefused(error.words))
                }
            }
        case .reconnect: reconnect()
        }
    }
}

private func refusal<Reply>(_ result: Result<Reply, ClientError>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return error.words
}

extension Message {
    /// What the follower says, for the model.
    init(_ event: DaemonFollower.Event) {
        switch event {
        case .connecting: self = .connecting
        case .changed(let snapshot): self = .changed(snapshot)
        case .away(let error, let pause):
            self = .away(
                reason: error.sentence, hint: error.hint, retryAt: LocalClock.read().now.advanced(by: pause))
        }
    }
}
