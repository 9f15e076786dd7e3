import HTTP
import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix

/// Performs slow work on the network loop, so that it delays neither replies to clients nor writes: fetches jokes,
/// normalizes and stores them, and counts jokes for `Statistics`.
actor SyncWorker {
    nonisolated let loop: EventLoop
    let store: JokeStore
    /// The HTTP client; nil before its first use, and after a change of its settings.
    private var client: HTTPClient?
    private var network: Configuration.Network
    /// The reader for `statistics`; nil before its first use.
    private var reader: JokeReader?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, store: JokeStore, network: Configuration.Network) {
        self.loop = loop
        self.store = store
        self.network = network
    }

    /// Adopts settings for the next syncs.
    func adopt(_ network: Configuration.Network) {
        // The limits are those of each request. Open connections may lead to addresses that are no longer allowed.
        if network != self.network { client = nil }
        self.network = network
    }

    private var currentClient: Result<HTTPClient, SourceError> {
        if let client { return .success(client) }
        return Result { () throws(SourceError) in
            let caFile = network.caFile ?? environment("SSL_CERT_FILE")?.nonEmpty
            let new = HTTPClient(
                loop: loop, userAgent: network.userAgent, proxies: try network.proxy.settings(), caFile: caFile)
            client = new
            return new
        }
    }

    /// The readers of sources, with the current settings.
    var readers: SourceReaders { SourceReaders(client: currentClient, limits: limits) }

    /// Returns the error message for an answer with only refused items.
    static func reason(ifAllAreRefused count: Int) -> String {
        "\(count == 1 ? "the only item received is not" : "none of the \(count) items received is") a joke"
    }

    /// Syncs a source, and returns the outcome. `fromStart` ignores its position and its validators. Slices that were stored
    /// before a failure stay in the cache. `onStored` is called after each slice.
    func sync(
        _ source: SourceConfiguration, _ state: SourceState, fromStart: Bool, through gate: RequestGate,
        onStored: @Sendable (SyncReport, _ changesFavorites: Bool) async -> Void
    ) async -> SyncOutcome {
        do {
            let reader = try readers.reader(for: source, through: gate)
            let position = try await store.beginSync(
                of: source.name, state, isLocal: !source.usesNetwork, interval: source.interval, fromStart: fromStart)
            var sync = Sync(source, at: position)
            try await sync.run(reader, on: self, onStored: onStored)
            if sync.report.seen == 0 && sync.report.refused > 0 && !sync.report.isPaused {
                return .failed(reason: Self.reason(ifAllAreRefused: sync.report.refused))
            }
            return .succeeded(sync.report)
        } catch is CancellationError {
            return .cancelled
        } catch let error as SourceError where error.code == .cancelled {
            return .cancelled
        } catch let error as SourceError {
            return .failed(reason: "\(error)", retryAfter: error.retryAfter, isUnreachable: error.isUnreachable)
        } catch {
            return .failed(reason: "\(error)")
        }
    }

    /// Counts the jokes of a selection. Reads all of them: about 0.1 s for 100,000.
    func statistics(of selection: JokeSelection) throws(StoreError) -> JokeStatistics {
        let reader = if let reader { reader } else { try JokeReader(of: store) }
        if self.reader == nil {
            reader.onDamage = { [store, loop] damage in
                Task(executorPreference: loop) { await store.report(damage) }
            }
            self.reader = reader
        }
        return try reader.statistics(of: selection, maxNames: StatisticsMethod.maxNames)
    }

    private var limits: HTTPRequest.Limits {
        var limits = HTTPRequest.Limits()
        limits.total = network.timeout
        limits.bodyBytes = network.maxBody
        limits.allowedAddresses = network.allowAddresses
        return limits
    }
}

extension Configuration.Network.Proxy {
    /// Returns the proxy to use. Reads the URL of the proxy from its file or credential, if the URL is a reference.
    fileprivate func settings() throws(SourceError) -> ProxySettings {
        switch self {
        case .fromEnvironment: ProxySettings(environment: environment)
        case .direct: .none
        case .url(let url): ProxySettings(url: url, environment: environment)
        case .reference(let reference): ProxySettings(url: try reference.read(), environment: environment)
        }
    }
}
