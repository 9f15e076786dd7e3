import JokesClient
import JokesCore
import JokesProtocol
import JokesStore
import TestSupport
import Unix
import Varlink

@testable import JokesDaemon

/// The parts of a daemon that sync, publish and tidy, assembled as in `Daemon`, with a real store and a real network.
///
/// A test decides when the cache is tidied, and when due syncs start. Clients connect to a socket.
@ServiceActor
final class SyncStage {
    let store: JokeStore
    let reader: JokeReader
    let writer: StoreWriter
    let views: WatchedViews
    let worker: SyncWorker
    let syncs: SyncRunner
    /// The lines of the log.
    nonisolated let lines = Locked<[String]>([])
    /// The outcomes of each source's syncs, in order.
    private(set) var outcomes: [String: [RefreshedSource]] = [:]
    private let folder: TemporaryFolder
    private let otherLoops: [EventLoop]
    private var server: VarlinkService?
    private var isEnding = false

    /// The loop of `ServiceActor`, which a thread of its own runs for the whole test run.
    private nonisolated static let loop: EventLoop = {
        do {
            ignoreBrokenPipes()
            let loop = try ServiceActor.loop()
            try loop.start(name: "service")
            return loop
        } catch {
            // A lazy constant cannot throw.
            fatalError("\(error)")
        }
    }()

    /// Calls the body with a new stage, whose syncs and threads end with the body.
    nonisolated static func run(_ body: @ServiceActor (SyncStage) async throws -> Void) async throws {
        let loop = loop
        let stage = try await SyncStage(on: loop)
        let result = await stage.result(of: body)
        await stage.end()
        try result.get()
    }

    private func result(of body: @ServiceActor (SyncStage) async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body(self)) } catch { return .failure(error) }
    }

    private init(on loop: EventLoop) throws {
        folder = try TemporaryFolder()
        let log = Log(level: .debug, addsPrefixes: false) { [lines] line in
            lines.withLock { $0.append(String(line.dropLast())) }
        }
        let (storeLoop, networkLoop) = (try EventLoop(), try EventLoop())
        otherLoops = [storeLoop, networkLoop]
        store = try JokeStore(folder: folder.path, executor: storeLoop, rules: Configuration().displayRules)
        worker = SyncWorker(loop: networkLoop, store: store, network: Configuration.Network())
        reader = try JokeReader(of: store)
        writer = StoreWriter(store, log: log)
        views = WatchedViews(reader, settings: FeedSettings(size: 5, placeholders: 0), log: log, on: loop)
        syncs = SyncRunner(worker, reader, writer, views, log: log, on: loop)
        for loop in otherLoops { try loop.start(name: "stage") }
        syncs.onStep = { [unowned self] step in
            if step.state != .syncing { outcomes[step.name, default: []].append(step) }
        }
        server = VarlinkService(try interface(), log: log, on: loop)
        try server?.listen(at: socket)
    }

    private func end() async {
        server?.stop()
        server = nil
        await endSyncs()
        for loop in otherLoops { loop.stop() }
    }

    /// Adopts a configuration as `Daemon` does. Syncs of removed sources have ended then.
    func adopt(_ sources: [SourceConfiguration], maxJokes: Int = 100_000) async throws {
        var configuration = Configuration()
        configuration.sources = sources
        configuration.network.proxy = .direct
        configuration.cache = CacheLimits(maxJokes: maxJokes)
        try await store.adopt(configuration.displayRules)
        await store.adopt(configuration.cache)
        await worker.adopt(configuration.network)
        try syncs.adopt(sources)
        try views.adopt(
            FeedSettings(size: 5, placeholders: 0), configuration.cache, syncs.planner, hasRecovered: false)
        await syncs.finishCanceled()
    }

    /// Ends all syncs. Later calls of `Refresh` are refused, as by `Daemon`.
    func endSyncs() async {
        isEnding = true
        await syncs.end()
    }

    /// Waits until no sync runs and all states are written.
    func waitForSyncs() async throws {
        try await waitUntil("no sync runs") { syncs.isIdle }
    }

    /// The number of stored jokes of a source, in the database.
    func stored(_ name: String) throws -> Int { try reader.counts().sources[name]?.cached ?? 0 }

    // MARK: Clients

    nonisolated var socket: String { folder.path("s") }

    var clientCount: Int { server?.connectionCount ?? 0 }

    private func interface() throws -> VarlinkInterface {
        try VarlinkInterface(
            JokesInterface.description,
            methods: [
                method(RefreshMethod.self) { [unowned self] call in
                    if isEnding { throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "the daemon ends")) }
                    try syncs.refresh(call)
                },
                method(WatchMethod.self) { [unowned self] in try views.watch($0) },
                method(ProbeMethod.self) { [unowned self] call in
                    let draft = try SourceDraft(call.parameters, SourceDraft.Names(configured: [], cached: [:]))
                    try syncs.probe(call, draft, JokeFilter(safe: false))
                },
                method(TestSourceMethod.self) { [unowned self] call in
                    guard let source = syncs.planner.configuration(of: call.parameters.name) else {
                        throw syncs.errorOfUnconfigured(call.parameters.name)
                    }
                    try syncs.test(call, source, JokeFilter(safe: false))
                },
            ])
    }

    private func method<Method: JokesMethod>(
        _ method: Method.Type,
        _ body: @escaping @ServiceActor (VarlinkCall<Method.Parameters, Method.Reply>) throws -> Void
    ) -> VarlinkMethod where Method: SendableMetatype {
        .handle(Method.name) { call in try ServiceActor.assumeIsolated { try body(call) } }
    }

    /// Calls a method on a thread of its own.
    nonisolated func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) -> PendingReply<Method.Reply> where Method: SendableMetatype {
        PendingReply { [socket] reply in
            reply(try JokesConnection(to: [socket]).call(method, parameters))
        }
    }

    /// Calls `Refresh`, and waits for the ends of the syncs.
    nonisolated func refresh(_ names: [String]? = nil) -> PendingReply<RefreshMethod.Reply> {
        PendingReply { [socket] reply in
            try JokesConnection(to: [socket]).stream(
                RefreshMethod.self, RefreshMethod.Parameters(sources: names), reply)
        }
    }
}

/// A call on a thread, with its replies so far.
final class PendingReply<Reply: Sendable>: Sendable {
    private let state = Locked((replies: [Reply](), error: nil as (any Error)?, hasEnded: false))

    fileprivate init(_ body: @escaping @Sendable ((Reply) -> Void) throws -> Void) {
        startThread { [self] in
            let result = Result { try body { reply in state.withLock { $0.replies.append(reply) } } }
            state.withLock { state in
                if case .failure(let error) = result { state.error = error }
                state.hasEnded = true
            }
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits for the last reply, and returns all replies. Throws the error of the service.
    func all() async throws -> [Reply] {
        try await waitUntil("a call is answered") { hasEnded }
        let (replies, error, _) = state.withLock { $0 }
        if let error { throw error }
        return replies
    }
}

// MARK: Sources

extension SourceConfiguration {
    /// A source whose answer is a list of texts. No sync of it is due again.
    static func list(_ name: String, at server: LoopbackServer, rate: RequestRate? = nil) -> SourceConfiguration {
        SourceConfiguration(
            name: name, kind: .json, url: "\(server.url)/\(name)", interval: .seconds(86_400), rate: rate,
            allowLocalNetwork: true, safety: .safe, json: JSONMapping())
    }

    /// A disabled source that may not use the local network. Because of it, the server gets one request at a time.
    static func guarding(_ server: LoopbackServer) -> SourceConfiguration {
        SourceConfiguration(
            name: "guard-\(server.port)", kind: .json, url: server.url, isEnabled: false,
            rate: RequestRate(requests: 1000, per: .seconds(1)), json: JSONMapping())
    }
}

extension LoopbackAnswer {
    /// An answer with this number of different jokes.
    static func jokes(_ count: Int, of name: String, from first: Int = 0) -> LoopbackAnswer {
        .json(
            "[\((first..<(first + count)).map { "\"Why did \(name) \($0) cross the road?\"" }.joined(separator: ","))]")
    }
}

extension NormalizedJoke {
    /// Different jokes of a source.
    static func numbered(_ range: Range<Int>, of name: String) throws -> [NormalizedJoke] {
        let normalizer = Normalizer(source: name)
        return try range.map { number in
            try normalizer.normalize(
                FetchedJoke(upstreamID: "\(number)", setup: "Why did \(name) \(number) cross the road?", safety: .safe))
        }
    }
}
