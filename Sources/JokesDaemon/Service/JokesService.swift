import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Varlink

/// A call of a method of `org.jokesd.Jokes`.
typealias Call<Method: JokesMethod> = VarlinkCall<Method.Parameters, Method.Reply>

/// Binds the methods of `org.jokesd.Jokes` to the daemon.
enum JokesService {
    /// Returns the interface with its methods. Methods with long replies, and methods that search the whole cache, are
    /// `costly`: quick calls are handled before costly calls.
    @ServiceActor
    static func interface(of daemon: Daemon) throws(VarlinkError) -> VarlinkInterface {
        let publish = daemon.publishChange
        return try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .answer(StatusMethod.name) { ServiceActor.assumeIsolated { daemon.status } },
                handle(DiagnoseMethod.name, daemon.diagnose).costly,
                .answer(SourcesMethod.name) { ServiceActor.assumeIsolated { daemon.sources } },
                answer(ListMethod.name, daemon.list).costly,
                answer(SearchMethod.name, daemon.search).costly,
                answer(GetMethod.name, daemon.get),
                change(RandomMethod.name, daemon.random, then: daemon.views.publishServed),
                change(TodayMethod.name, daemon.today, then: daemon.views.publishServed),
                answer(HiddenMethod.name, daemon.hidden).costly,
                answer(AbbreviateMethod.name, daemon.abbreviate),
                change(StatisticsMethod.name, daemon.statistics, then: {}).costly,
                answer(FavoritesMethod.name, daemon.favorites).costly,
                answer(SuggestMethod.name, daemon.suggest).costly,
                change(FavoriteMethod.name, daemon.favorite, then: publish),
                change(UnfavoriteMethod.name, daemon.unfavorite, then: publish),
                change(HideMethod.name, { try await daemon.setHidden(true, $0) }, then: publish),
                change(UnhideMethod.name, { try await daemon.setHidden(false, $0) }, then: publish),
                change(MarkSeenMethod.name, { try await daemon.setSeen(true, $0) }, then: publish),
                change(MarkUnseenMethod.name, { try await daemon.setSeen(false, $0) }, then: publish),
                change(MarkAllSeenMethod.name, daemon.markAllSeen, then: publish),
                change(UndoMethod.name, daemon.undo, then: publish),
                answer(ExportMethod.name, daemon.export).costly,
                handle(ImportMethod.name, daemon.importPiece).costly,
                handle(RefreshMethod.name, daemon.refresh),
                change(ForgetMethod.name, daemon.forget, then: publish),
                change(AcknowledgeRecoveriesMethod.name, daemon.acknowledge, then: publish),
                handle(ProbeMethod.name, daemon.probe),
                handle(TestSourceMethod.name, daemon.testSource),
                .answer(ConfigurationMethod.name) { ServiceActor.assumeIsolated { daemon.configurationFile } },
                handle(ReloadMethod.name, daemon.reload),
                handle(WatchMethod.name, daemon.views.watch).costly,
            ])
    }

    /// Returns a method with a body that returns the reply.
    private static func answer<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @ServiceActor (Parameters) throws -> Reply
    ) -> VarlinkMethod {
        .answer(name) { parameters in try ServiceActor.assumeIsolated { try body(parameters) } }
    }

    /// Returns a method with a body that replies later, or several times.
    private static func handle<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @ServiceActor (VarlinkCall<Parameters, Reply>) throws -> Void
    ) -> VarlinkMethod {
        .handle(name) { call in try ServiceActor.assumeIsolated { try body(call) } }
    }

    /// Returns a method with a body that waits for the store, and that replies when a change is on disk. Calls `publish`
    /// after the reply.
    ///
    /// The views are updated before the next call, because no `await` follows the reply.
    private static func change<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @ServiceActor (Parameters) async throws -> Reply,
        then publish: @escaping @ServiceActor () -> Void
    ) -> VarlinkMethod {
        handle(name) { (call: VarlinkCall<Parameters, Reply>) in
            Task {
                do {
                    call.replyAtOnce(try await body(call.parameters))
                    publish()
                } catch {
                    call.fail(errorReply(for: error))
                }
            }
        }
    }

    /// Returns the error for clients.
    static func errorReply(for error: any Error) -> ErrorReply {
        switch error {
        case let error as ErrorReply: return error
        case let error as JokesError: return ErrorReply(error)
        case let error as SourceError: return ErrorReply(JokesError(error))
        case let error as StoreError:
            switch error.code {
            case .busy: return ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: error.reason))
            case .noSuchJoke: return ErrorReply(JokesError.noSuchJoke(id: error.joke?.rawValue ?? ""))
            case .wrongCursor: return ErrorReply.invalidParameter("cursor")
            default: return ErrorReply(JokesError.storageUnavailable(reason: error.reason, hint: error.hint))
            }
        default: return ErrorReply(JokesError.storageUnavailable(reason: "\(error)"))
        }
    }
}

extension ErrorReply {
    init(_ error: JokesError) { self.init(error, of: JokesInterface.name) }
}
