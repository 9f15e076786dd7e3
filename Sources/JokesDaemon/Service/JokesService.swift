import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// Binds the methods of `org.jokesd.Jokes` to the daemon.
enum JokesService {
    /// The interface with its implementation; every handler enters the daemon on the loop they share.
    ///
    /// Methods that answer much, or search the whole cache, are `costly`: quick calls go first.
    static func interface(of daemon: Daemon) throws(VarlinkError) -> VarlinkInterface {
        try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .answer(StatusMethod.name) { daemon.assumeIsolated { $0.status } },
                .handle(DiagnoseMethod.name) {
                    (call: VarlinkCall<DiagnoseMethod.Parameters, DiagnoseMethod.Reply>) in
                    daemon.assumeIsolated { $0.diagnose(call) }
                }.costly,
                .answer(SourcesMethod.name) { daemon.assumeIsolated { $0.sources } },
                .answer(ListMethod.name) { (parameters: ListMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.list(parameters) }
                }.costly,
                .answer(SearchMethod.name) { (parameters: SearchMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.search(parameters) }
                }.costly,
                .answer(GetMethod.name) { (parameters: JokeParameters) in
                    try daemon.assumeIsolated { try $0.get(parameters) }
                },
                .answer(RandomMethod.name) { (parameters: RandomMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.random(parameters) }
                },
                .answer(FavoritesMethod.name) { (parameters: FavoritesMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.favorites(parameters) }
                }.costly,
                .answer(SuggestMethod.name) { (parameters: SuggestMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.suggest(parameters) }
                }.costly,
                .handle(FavoriteMethod.name) {
                    (call: VarlinkCall<FavoriteMethod.Parameters, FavoriteMethod.Reply>) in
                    try daemon.assumeIsolated { try $0.favorite(call) }
                },
                .handle(UnfavoriteMethod.name) { (call: VarlinkCall<ChangeParameters, ChangeReply>) in
                    try daemon.assumeIsolated { try $0.unfavorite(call) }
                },
                .handle(HideMethod.name) { (call: VarlinkCall<ChangeParameters, ChangeReply>) in
                    try daemon.assumeIsolated { try $0.setHidden(true, call) }
                },
                .handle(UnhideMethod.name) { (call: VarlinkCall<ChangeParameters, ChangeReply>) in
                    try daemon.assumeIsolated { try $0.setHidden(false, call) }
                },
                .answer(ExportMethod.name) { (parameters: ExportMethod.Parameters) in
                    try daemon.assumeIsolated { try $0.export(parameters) }
                }.costly,
                .handle(ImportMethod.name) { (call: VarlinkCall<ImportMethod.Parameters, ImportMethod.Reply>) in
                    try daemon.assumeIsolated { try $0.takeImport(call) }
                }.onRefusal { (parameters: ImportMethod.Identifier) in
                    daemon.assumeIsolated { daemon in parameters.id.map(daemon.forgetImport) }
                }.costly,
                .handle(RefreshMethod.name) {
                    (call: VarlinkCall<RefreshMethod.Parameters, RefreshMethod.Reply>) in
                    try daemon.assumeIsolated { try $0.refresh(call) }
                },
                .handle(ForgetMethod.name) { (call: VarlinkCall<ForgetMethod.Parameters, ForgetMethod.Reply>) in
                    try daemon.assumeIsolated { try $0.forget(call) }
                },
                .handle(AcknowledgeRecoveriesMethod.name) {
                    (call: VarlinkCall<AcknowledgeRecoveriesMethod.Parameters, AcknowledgeRecoveriesMethod.Reply>) in
                    daemon.assumeIsolated { $0.acknowledge(call) }
                },
                .handle(WatchMethod.name) { (call: WatchCall) in
                    try daemon.assumeIsolated { try $0.watch(call) }
                }.costly,
            ])
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
