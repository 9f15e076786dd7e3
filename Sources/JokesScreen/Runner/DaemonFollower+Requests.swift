import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension DaemonFollower {
    /// Sends a request. `reply` gets the answer on the loop.
    func perform(_ request: Request, _ reply: @escaping @Sendable (Message) -> Void) {
        func answer<Reply>(
            _ answer: @escaping @Sendable (Reply) -> Answer
        ) -> @Sendable (Result<Reply, ClientError>) -> Void {
            { reply(.answered(request, $0.map(answer).answer)) }
        }
        func change(_ method: (some ChangeMethod).Type, _ joke: JokeID) {
            call(method, JokeIDs(ids: [joke.rawValue]), answer { _ in .done })
        }
        switch request {
        case .watch(let view): follow(view)
        case .favorite(let joke, true, let note):
            call(FavoriteMethod.self, .init(ids: [joke.rawValue], note: note), answer { _ in .done })
        case .favorite(let joke, false, _): change(UnfavoriteMethod.self, joke)
        case .hide(let joke, true): change(HideMethod.self, joke)
        case .hide(let joke, false): change(UnhideMethod.self, joke)
        case .markSeen(let joke, true): change(MarkSeenMethod.self, joke)
        case .markSeen(let joke, false): change(MarkUnseenMethod.self, joke)
        case .markAllSeen(let selection): call(MarkAllSeenMethod.self, selection, answer { .count($0.changed) })
        case .undo: call(UndoMethod.self, NoParameters(), answer { .undone($0) })
        case .refresh(let sources): call(RefreshMethod.self, .init(sources: sources), answer { .refreshed($0.sources) })
        case .sources: call(SourcesMethod.self, NoParameters(), answer { .sources($0.sources) })
        case .testSource(let name):
            callWithoutTimeout(TestSourceMethod.self, .init(name: name), answer { .sample($0.sample) })
        case .random(let selection): call(RandomMethod.self, selection, answer { .joke($0.joke) })
        case .statistics: call(StatisticsMethod.self, JokeSelection(), answer { .statistics($0) })
        case .hidden(let cursor): call(HiddenMethod.self, .init(cursor: cursor, limit: 100), answer { .hidden($0) })
        case .joke(let id): call(GetMethod.self, .init(id: id.rawValue), answer { .notShown($0.joke.notShown) })
        case .reconnect: reconnect()
        }
    }
}

extension Result<Answer, ClientError> {
    fileprivate var answer: Answer {
        switch self {
        case .success(let answer): answer
        case .failure(let error): .refused(error.words)
        }
    }
}

extension Message {
    init(_ event: DaemonFollower.Event) {
        switch event {
        case .connecting: self = .connecting
        case .changed(let snapshot, _): self = .changed(snapshot)
        case .unreachable(let error, let pause):
            self = .unreachable(
                reason: error.sentence, hint: error.hint, retryAt: LocalClock.read().now.advanced(by: pause))
        }
    }
}
