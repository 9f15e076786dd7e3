import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension DaemonFollower {
    /// Sends a request. `take` gets the answer on the loop.
    func perform(_ request: Request, _ take: @escaping @Sendable (Message) -> Void) {
        switch request {
        case .watch(let view): follow(view)
        case .star(let joke, isStarred: true):
            mark(.star(joke), FavoriteMethod.self, .init(ids: [joke.rawValue]), take)
        case .star(let joke, isStarred: false):
            mark(.star(joke), UnfavoriteMethod.self, .init(ids: [joke.rawValue]), take)
        case .restore(let favorite, let joke):
            // `Favorite` would use the current text of the joke, and fail if the joke is gone.
            let parameters = ImportMethod.Parameters(id: nil, [.favorite(favorite)], isLast: true)
            mark(.star(joke), ImportMethod.self, parameters, take)
        case .hide(let joke, isHidden: true):
            mark(.hidden(joke), HideMethod.self, .init(ids: [joke.rawValue]), take)
        case .hide(let joke, isHidden: false):
            mark(.hidden(joke), UnhideMethod.self, .init(ids: [joke.rawValue]), take)
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

    private func mark<Method: JokesMethod>(
        _ mark: Mark, _ method: Method.Type, _ parameters: Method.Parameters,
        _ take: @escaping @Sendable (Message) -> Void
    ) {
        call(method, parameters) { result in
            let refusal = if case .failure(let error) = result { error.words } else { nil as String? }
            take(.markAnswered(mark, refusal: refusal))
        }
    }
}

extension Message {
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
