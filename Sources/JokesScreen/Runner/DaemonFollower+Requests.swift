import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension DaemonFollower {
    /// Sends a request. `reply` gets the answer on the loop.
    func perform(_ request: Request, _ reply: @escaping @Sendable (Message) -> Void) {
        switch request {
        case .watch(let view): follow(view)
        case .mark(let change): make(change, reply)
        case .undo:
            call(UndoMethod.self, NoParameters()) { result in
                switch result {
                case .success(let answer): reply(.undoAnswered(answer))
                case .failure(let error): reply(.undoRefused(error.words))
                }
            }
        case .refresh(let sources):
            call(RefreshMethod.self, RefreshMethod.Parameters(sources: sources)) { result in
                switch result {
                case .success(let answer): reply(.refreshAnswered(answer.sources))
                case .failure(.refused(.unknownName)): reply(.refreshFoundNoSource)
                case .failure(let error): reply(.refreshRefused(error.words))
                }
            }
        case .sources:
            call(SourcesMethod.self, NoParameters()) { result in
                switch result {
                case .success(let answer): reply(.sourcesAnswered(answer.sources))
                case .failure(let error): reply(.sourcesRefused(error.words))
                }
            }
        case .testSource(let name):
            callWithoutTimeout(TestSourceMethod.self, TestSourceMethod.Parameters(name: name)) { result in
                switch result {
                case .success(let answer): reply(.sourceTested(name, answer.sample))
                case .failure(let error): reply(.sourceTestRefused(name, error.words))
                }
            }
        case .random(let selection):
            call(RandomMethod.self, selection) { result in
                switch result {
                case .success(let answer): reply(.randomAnswered(answer.joke.joke))
                case .failure(let error): reply(.randomRefused(error.words))
                }
            }
        case .statistics:
            call(StatisticsMethod.self, Wire.Selection()) { result in
                switch result {
                case .success(let counts): reply(.statisticsAnswered(counts))
                case .failure(let error): reply(.statisticsRefused(error.words))
                }
            }
        case .hidden(let cursor):
            call(HiddenMethod.self, Wire.PageParameters(cursor: cursor, limit: 100)) { result in
                switch result {
                case .success(let page): reply(.hiddenAnswered(page))
                case .failure(let error): reply(.hiddenRefused(error.words))
                }
            }
        case .reconnect: reconnect()
        }
    }

    private func make(_ change: MarkChange, _ reply: @escaping @Sendable (Message) -> Void) {
        switch (change.mark, change.isSet) {
        case (.star(let joke), true):
            mark(change.mark, FavoriteMethod.self, .init(ids: [joke.rawValue], note: change.note), reply)
        case (.star(let joke), false):
            mark(change.mark, UnfavoriteMethod.self, .init(ids: [joke.rawValue]), reply)
        case (.hidden(let joke), true): mark(change.mark, HideMethod.self, .init(ids: [joke.rawValue]), reply)
        case (.hidden(let joke), false): mark(change.mark, UnhideMethod.self, .init(ids: [joke.rawValue]), reply)
        }
    }

    private func mark<Method: JokesMethod>(
        _ mark: Mark, _ method: Method.Type, _ parameters: Method.Parameters,
        _ reply: @escaping @Sendable (Message) -> Void
    ) {
        call(method, parameters) { result in
            let refusal = if case .failure(let error) = result { error.words } else { nil as String? }
            reply(.markAnswered(mark, refusal: refusal))
        }
    }
}

extension Message {
    init(_ event: DaemonFollower.Event) {
        switch event {
        case .connecting: self = .connecting
        case .changed(let snapshot): self = .changed(snapshot)
        case .unreachable(let error, let pause):
            self = .unreachable(
                reason: error.sentence, hint: error.hint, retryAt: LocalClock.read().now.advanced(by: pause))
        }
    }
}
