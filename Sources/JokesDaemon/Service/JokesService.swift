import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// Binds the methods of `org.jokesd.Jokes` to the daemon.
enum JokesService {
    /// The interface with its implementation.
    ///
    /// Methods with long answers, and those that search the whole cache, are `costly`: quick calls go first.
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
                answer(RandomMethod.name, daemon.random),
                answer(FavoritesMethod.name, daemon.favorites).costly,
                answer(SuggestMethod.name, daemon.suggest).costly,
                handle(FavoriteMethod.name, daemon.favorite),
                handle(UnfavoriteMethod.name, daemon.unfavorite),
                handle(HideMethod.name) { try daemon.setHidden(true, $0) },
                handle(UnhideMethod.name) { try daemon.setHidden(false, $0) },
                answer(ExportMethod.name, daemon.export).costly,
                handle(ImportMethod.name, daemon.takeImport).onRefusal { (parameters: ImportMethod.Identifier) in
                    ServiceActor.assumeIsolated { parameters.id.map(daemon.forgetImport) }
                }.costly,
                handle(RefreshMethod.name, daemon.refresh),
                handle(ForgetMethod.name, daemon.forget),
                handle(AcknowledgeRecoveriesMethod.name, daemon.acknowledge),
                handle(WatchMethod.name, daemon.views.watch).costly,
            ])
    }

    private static func answer<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @ServiceActor (Parameters) throws -> Reply
    ) -> VarlinkMethod {
        .answer(name) { parameters in try ServiceActor.assumeIsolated { try body(parameters) } }
    }

    private static func handle<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @ServiceActor (VarlinkCall<Parameters, Reply>) throws -> Void
    ) -> VarlinkMethod {
        .handle(name) { call in try ServiceActor.assumeIsolated { try body(call) } }
    }

    /// The reply to a call that failed for the store's sake.
    static func explain(_ error: any Error) -> ErrorReply {
        switch error {
        case let error as StoreError where error.code == .busy:
            ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: error.reason))
        case let error as StoreError where error.code == .noSuchJoke:
            ErrorReply(JokesError.noSuchJoke(id: error.joke?.rawValue ?? ""))
        case let error as StoreError where error.code == .wrongCursor:
            ErrorReply.invalidParameter("cursor")
        case let error as StoreError:
            ErrorReply(JokesError.storageUnavailable(reason: error.reason, hint: error.hint))
        case let error as ErrorReply:
            error
        default:
            ErrorReply(JokesError.storageUnavailable(reason: "\(error)"))
        }
    }
}

extension ErrorReply {
    /// An error of the interface as it travels.
    init(_ error: JokesError) {
        self.init(error.fullName, error.parameters)
    }
}
