import HTTP
import JokesCore
import JokesSources
import JokesStore
import Unix

/// Performs syncs: fetches jokes, normalizes and stores them.
///
/// Runs on the network loop, so decoding and normalizing do not delay replies to clients.
actor SyncWorker {
    nonisolated let loop: EventLoop
    private let store: JokeStore
    /// The HTTP client; nil before its first use, and after a change of its settings.
    private var client: HTTPClient?
    private var network: Configuration.Network
    private let storeLock = StoreLock()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, store: JokeStore, network: Configuration.Network) {
        self.loop = loop
        self.store = store
        self.network = network
    }

    /// Adopts settings for the next syncs.
    func adopt(_ network: Configuration.Network) {
        if (network.userAgent, network.proxy) != (self.network.userAgent, self.network.proxy) { client = nil }
        self.network = network
    }

    private var currentClient: Result<HTTPClient, SourceError> {
        if let client { return .success(client) }
        return Result { () throws(SourceError) in
            let new = HTTPClient(loop: loop, userAgent: network.userAgent, proxies: try network.proxy.settings())
            client = new
            return new
        }
    }

    /// The readers of sources, with the current settings.
    var readers: SourceReaders { SourceReaders(client: currentClient, limits: limits) }

    /// Returns the configuration errors of sources by name, such as a secret that cannot be read. Sends no request.
    func configurationErrors(of configurations: [SourceConfiguration]) -> [String: SyncBlocker] {
        let readers = readers
        var errors: [String: SyncBlocker] = [:]
        for configuration in configurations {
            do throws(SourceError) {
                _ = try readers.reader(for: configuration)
            } catch {
                if error.code == .misconfigured { errors[configuration.name] = .misconfigured(error.description) }
            }
        }
        return errors
    }

    /// Returns the offset of this machine's clock from the clock of each server that has answered; positive if this
    /// machine's clock is ahead.
    func clockOffsets() async -> [Duration] {
        guard let client else { return [] }
        return await client.serverClocks.leads(of: wallClockMicroseconds(), at: .now)
    }

    /// Returns the error message for an answer with only refused items.
    static func reason(ifAllAreRefused count: Int) -> String {
        "\(count == 1 ? "the only item received is not" : "none of the \(count) items received is") a joke"
    }

    /// Syncs a source, and returns the outcome. Slices that were stored before a failure stay in the cache.
    func sync(_ configuration: SourceConfiguration, _ state: SourceState, for runner: SyncRunner) async -> SyncOutcome {
        let name = configuration.name
        do {
            let reader = try readers.reader(for: configuration) { await runner.admitRequest(of: name) }
            let report = try await fetchAll(from: reader, configuration, at: state.position, runner)
            if report.seen == 0 && report.refused > 0 && !report.isPaused {
                // If all items are refused, the format of the service has probably changed. Keeps the old position, so
                // that the next sync fails too: an empty next page would look like a success.
                var rewound = report
                rewound.position = state.position
                await runner.publishProgress(rewound, of: name)
                return .failed(reason: Self.reason(ifAllAreRefused: report.refused))
            }
            return .succeeded(report)
        } catch let error as SourceError where error.code == .cancelled {
            return .cancelled
        } catch let error as SourceError {
            return .failed(reason: "\(error)", retryAfter: error.retryAfter, isUnreachable: error.isUnreachable)
        } catch {
            return .failed(reason: "\(error)")
        }
    }

    private var limits: HTTPRequest.Limits {
        var limits = HTTPRequest.Limits()
        limits.total = network.timeout
        limits.bodyBytes = network.maxBody
        return limits
    }

    /// Fetches one batch after another, and stores each batch in slices. Slices of other syncs are stored in between.
    private func fetchAll(
        from reader: any JokeSource, _ configuration: SourceConfiguration, at start: SourcePosition,
        _ runner: SyncRunner
    ) async throws -> SyncReport {
        var report = SyncReport(position: start)
        var jokesLeft = configuration.limit
        var randomRequests = RandomRequests()
        while true {
            let position = report.position
            var batch: SourceBatch
            do throws(SourceError) {
                batch = try await reader.nextBatch(from: position, atMost: jokesLeft)
            } catch {
                guard error.code == .paused else { throw error }
                if let failure = randomRequests.failure { throw failure }
                // A paused full sync continues soon. Random requests have no position to continue from, so the next
                // sync waits for the interval.
                report.isPaused = randomRequests.isEmpty
                return report
            }
            // A random answer is a pass, because the next one is independent of it.
            batch.beginsPass =
                batch.beginsPass || batch.beginsFullSync || position.cursor == nil || batch.progress == .random
            let newBefore = report.new
            while true {
                let slice = batch.takeSlice(at: position)
                let part = slice ?? batch
                report = try await store(part, isLast: slice == nil, of: configuration.name, addingTo: report, runner)
                jokesLeft = jokesLeft.map { max(0, $0 - part.jokes.count) }
                if slice == nil { break }
            }
            if let permission = batch.permission {
                batch.jokes = []
                returnFreeMemory()
                permission.release()
            }
            switch batch.progress {
            case .more where jokesLeft != 0: continue
            case .random: randomRequests.countSuccess(foundNew: report.new > newBefore)
            case .randomFailed(let error): randomRequests.countFailure(error)
            default: return report
            }
            if jokesLeft == 0 || randomRequests.areOver {
                if let failure = randomRequests.failure { throw failure }
                return report
            }
        }
    }

    /// Normalizes and stores a slice, and returns the report with the counts of the slice added.
    ///
    /// The last slice of a batch is stored together with the position after the whole batch.
    private func store(
        _ slice: SourceBatch, isLast: Bool, of source: String, addingTo previous: SyncReport, _ runner: SyncRunner
    ) async throws -> SyncReport {
        await storeLock.acquire(storedCount: previous.seen)
        defer { storeLock.release() }
        let normalizer = Normalizer(source: source)
        let jokes = slice.jokes.compactMap { try? normalizer.normalize($0) }
        // A sync of a source that was reconfigured does not store its position.
        var position: SourcePosition?
        if isLast, await runner.planner.hasCurrentRequests(source) { position = slice.position }
        var report = previous
        report.position = slice.position
        report.seen += jokes.count
        report.refused += slice.refused + slice.jokes.count - jokes.count
        report.note = slice.note
        report.hasChangedFavorites = false
        // A full sync with only bad items has failed, and does not show that other jokes are gone.
        let hasFailed = slice.progress == .complete && report.seen == 0 && report.refused > 0
        // Later batches continue a pass, even if it begins without jokes.
        let beginsPass = slice.beginsPass && slice.progress == .more
        if !hasFailed && (!jokes.isEmpty || slice.beginsFullSync || beginsPass || slice.progress == .complete) {
            // A random answer is never requested again.
            let endsAnswer = isLast || slice.progress == .random
            let stored = try await store.ingest(
                jokes, from: source, at: .now, part: slice.fullSyncPart,
                passPart: PassPart(begins: slice.beginsPass, endsAnswer: endsAnswer), position: position)
            report.new += stored.new
            report.changed += stored.changed
            report.duplicates += stored.duplicates
            report.hasChangedFavorites = stored.hasChangedFavorites
        } else if slice.progress == .more, let position {
            // Saves the position after an empty page. After the last page, `SyncRunner.finishSync` saves the position
            // with the state of the source.
            try await store.save(position, of: source)
        }
        await runner.publishProgress(report, of: source)
        return report
    }
}

/// A lock that one sync at a time holds while it normalizes and stores a slice of its jokes.
///
/// The sync with the fewest stored jokes gets the lock first, so a short sync waits for one slice of a long sync.
private final class StoreLock {
    private var isHeld = false
    /// The waiting syncs, in the order in which they get the lock.
    private var waiters: [(storedCount: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Waits for the lock. `storedCount` is the number of jokes that the sync has stored.
    func acquire(storedCount: Int, isolation: isolated (any Actor)? = #isolation) async {
        if !isHeld {
            isHeld = true
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let index = waiters.firstIndex { $0.storedCount > storedCount } ?? waiters.endIndex
            waiters.insert((storedCount, continuation), at: index)
        }
    }

    /// Passes the lock to the next waiting sync.
    func release() {
        if waiters.isEmpty { isHeld = false } else { waiters.removeFirst().continuation.resume() }
    }
}

extension SourceBatch {
    fileprivate var fullSyncPart: FullSyncPart {
        progress == .random ? .outside : FullSyncPart(beginning: beginsFullSync, completing: progress == .complete)
    }

    fileprivate var note: String? {
        if case .absent(let sentence) = progress { sentence } else { nil }
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
