import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension DaemonFollower {
    /// Sends a request. `reply` gets the answer on the loop.
    func perform(_ request: Request, _ reply: @escaping @Sendable (Message) -> Void) {
        let answers = Answers(to: request, reply)
        switch request {
        case .watch(let view): follow(view)
        case .mark(let change): make(change, reply)
        case .undo: call(UndoMethod.self, NoParameters(), answers.handler { .undoAnswered($0) })
        case .refresh(let sources):
            let parameters = RefreshMethod.Parameters(sources: sources)
            let handler = answers.handler { (answer: RefreshMethod.Reply) in .refreshAnswered(answer.sources) }
            call(RefreshMethod.self, parameters) { result in
                if case .failure(.refused(.unknownName)) = result {
                    reply(.refreshFoundNoSource)
                } else {
                    handler(result)
                }
            }
        case .sources: call(SourcesMethod.self, NoParameters(), answers.handler { .sourcesAnswered($0.sources) })
        case .testSource(let name):
            let parameters = TestSourceMethod.Parameters(name: name)
            callWithoutTimeout(TestSourceMethod.self, parameters, answers.handler { .sourceTested(name, $0.sample) })
        case .random(let selection):
            call(RandomMethod.self, selection, answers.handler { .randomAnswered($0.joke) })
        case .markSeen(let joke, let isSeen):
            let ids = JokeIDs(ids: [joke.rawValue])
            if isSeen {
                call(MarkSeenMethod.self, ids, answers.refusals())
            } else {
                call(MarkUnseenMethod.self, ids, answers.refusals())
            }
        case .markAllSeen(let selection):
            call(MarkAllSeenMethod.self, selection, answers.handler { .allSeenAnswered($0.changed) })
        case .statistics: call(StatisticsMethod.self, JokeSelection(), answers.handler { .statisticsAnswered($0) })
        case .hidden(let cursor):
            let parameters = Wire.PageParameters(cursor: cursor, limit: 100)
            call(HiddenMethod.self, parameters, answers.handler { .hiddenAnswered($0) })
        case .joke(let id):
            let parameters = JokeParameters(id: id.rawValue)
            call(GetMethod.self, parameters, answers.handler { .jokeAnswered(id, notShown: $0.joke.notShown) })
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

/// The messages for the answer to a request.
private struct Answers {
    private let request: Request
    private let reply: @Sendable (Message) -> Void

    init(to request: Request, _ reply: @escaping @Sendable (Message) -> Void) {
        (self.request, self.reply) = (request, reply)
    }

    /// The completion of a call whose reply needs no message.
    func refusals() -> @Sendable (Result<ChangeReply, ClientError>) -> Void { handler { _ in nil } }

    /// The completion of a call, with the message for its reply.
    func handler<Reply>(
        _ message: @escaping @Sendable (Reply) -> Message?
    ) -> @Sendable (Result<Reply, ClientError>) -> Void {
        { [request, reply] result in
            switch result {
            case .success(let answer): message(answer).map(reply)
            case .failure(let error): reply(.refused(request, reason: error.words))
            }
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
