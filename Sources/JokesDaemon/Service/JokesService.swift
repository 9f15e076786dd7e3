import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Varlink

/// Binds the methods of `org.jokesd.Jokes` to the daemon.
enum JokesService {
    /// Returns the interface with its methods. Methods with long replies, and methods that search the whole cache, are
    /// `costly`: quick calls are handled before costly calls.
    @ServiceActor
    static func interface(of daemon: Daemon) throws(VarlinkError) -> VarlinkInterface {
        try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .answer(StatusMethod.name) { ServiceActor.assumeIsolated { daemon.status } },
                handle(DiagnoseMethod.name, daemon.diagnose).costly,
                .answer(SourcesMethod.name) { ServiceActor.assumeIsolated { daemon.sources } },
                answer(ListMethod.name, daemon.list).costly,
                answer(SearchMethod.name, daemon.search).costly,
                answer(GetMethod.name, daemon.get),
                handle(RandomMethod.name, daemon.random),
                handle(TodayMethod.name, daemon.today),
                answer(HiddenMethod.name, daemon.hidden).costly,
                answer(AbbreviateMethod.name, daemon.abbreviate),
                handle(StatisticsMethod.name, daemon.statistics).costly,
                answer(FavoritesMethod.name, daemon.favorites).costly,
                answer(SuggestMethod.name, daemon.suggest).costly,
                handle(FavoriteMethod.name, daemon.favorite),
                handle(UnfavoriteMethod.name, daemon.unfavorite),
                handle(HideMethod.name) { try daemon.setHidden(true, $0) },
                handle(UnhideMethod.name) { try daemon.setHidden(false, $0) },
                handle(MarkSeenMethod.name) { try daemon.setSeen(true, $0) },
                handle(MarkUnseenMethod.name) { try daemon.setSeen(false, $0) },
                handle(MarkAllSeenMethod.name, daemon.markAllSeen),
                handle(UndoMethod.name, daemon.undo),
                answer(ExportMethod.name, daemon.export).costly,
                handle(ImportMethod.name, daemon.importPiece).costly,
                handle(RefreshMethod.name, daemon.refresh),
                handle(ForgetMethod.name, daemon.forget),
                handle(AcknowledgeRecoveriesMethod.name, daemon.acknowledge),
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

    /// Returns the error for clients.
    static func errorReply(for error: any Error) -> ErrorReply {
        switch error {
        case let error as ErrorReply: return error
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
