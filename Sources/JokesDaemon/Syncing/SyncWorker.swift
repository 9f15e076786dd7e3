import HTTP
import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix

/// Runs syncs: fetches jokes, normalizes and stores them.
///
/// It has the network loop, so decoding and normalizing do not delay answers to clients.
actor SyncWorker {
    nonisolated let loop: EventLoop
    private let store: JokeStore
    /// Created for the first source that needs it, and again after a change of the settings.
    private var client: HTTPClient?
    private var network: Configuration.Network
    private let storeLock = StoreLock()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, store: JokeStore, network: Configuration.Network) {
        self.loop = loop
        self.store = store
        self.network = network
    }

    /// Uses these settings from the next sync on.
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

    /// Returns why sources cannot be synced as configured, such as a secret that cannot be read. Sends no request.
    func obstacles(to configurations: [SourceConfiguration]) -> [String: SourceObstacle] {
        let readers = SourceReaders(client: currentClient, limits: limits)
        var obstacles: [String: SourceObstacle] = [:]
        for configuration in configurations {
            do throws(SourceError) {
                _ = try readers.reader(for: configuration)
            } catch {
                if error.code == .misconfigured { obstacles[configuration.name] = .misconfigured(error.description) }
            }
        }
        return obstacles
    }

    /// Returns how far this machine's clock is ahead of the clock of each server that has answered.
    func leadsOverServers() async -> [Duration] {
        guard let client else { return [] }
        return await client.serverClocks.leads(of: wallClockMicroseconds(), at: .now)
    }

    /// Syncs a source, and returns how the sync ended. Slices that were stored before a failure stay.
    func sync(_ configuration: SourceConfiguration, _ state: SourceState, for runner: SyncRunner) async -> SyncOutcome {
        let name = configuration.name
        do {
            let reader = try SourceReaders(client: currentClient, limits: limits)
                .reader(for: configuration) { await runner.admitRequest(of: name) }
            let report = try await fetchAll(from: reader, configuration, at: state.position, runner)
            if report.seen == 0 && report.refused > 0 && !report.isPaused {
                // Bad items alone mean that the service has changed. The same position is requested again: the next one
                // may have no items, and the sync would seem to succeed.
                var undone = report
                undone.position = state.position
                await runner.stored(undone, of: name)
                let count = report.refused
                let reason = count == 1 ? "the only item received is not" : "none of the \(count) items received is"
                return .failed(reason: "\(reason) a joke")
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

    /// Fetches one batch after another, and stores each in slices, so that other syncs can store theirs in between.
    private func fetchAll(
        from reader: any JokeSource, _ configuration: SourceConfiguration, at start: SourcePosition,
        _ runner: SyncRunner
    ) async throws -> SyncReport {
        var report = SyncReport(position: start)
        var left = configuration.limit
        var randomRequests = RandomRequests()
        while true {
            let position = report.position
            var batch: SourceBatch
            do throws(SourceError) {
                batch = try await reader.nextBatch(from: position, atMost: left)
            } catch {
                guard error.code == .paused else { throw error }
                if let failure = randomRequests.failure { throw failure }
                // Random requests have no end that a later sync could reach, so the next sync comes after the interval.
                report.isPaused = randomRequests.isEmpty
                return report
            }
            let newBefore = report.new
            var isLast = false
            while !isLast {
                let slice = batch.takeSlice(at: position)
                isLast = slice == nil
                report = try await store(slice ?? batch, isLast: isLast, of: configuration.name, after: report, runner)
                left = left.map { max(0, $0 - (slice ?? batch).jokes.count) }
            }
            batch.permission?.release()
            switch batch.progress {
            case .more where left != 0: continue
            case .random: randomRequests.countSuccess(broughtNew: report.new > newBefore)
            case .randomFailed(let error): randomRequests.count(error)
            default: return report
            }
            if left == 0 || randomRequests.areOver {
                if let failure = randomRequests.failure { throw failure }
                return report
            }
        }
    }

    /// Normalizes and stores a slice, the last one together with the position after the whole batch. Returns the report with
    /// its numbers.
    private func store(
        _ slice: SourceBatch, isLast: Bool, of source: String, after before: SyncReport, _ runner: SyncRunner
    ) async throws -> SyncReport {
        await storeLock.acquire(storedCount: before.seen)
        defer { storeLock.release() }
        let normalizer = Normalizer(source: source)
        let jokes = slice.jokes.compactMap { try? normalizer.normalize($0) }
        // A sync of a source that was reconfigured does not store its position.
        let position = isLast ? await runner.planner.hasCurrentRequests(source) ? slice.position : nil : nil
        var report = before
        report.position = slice.position
        report.seen += jokes.count
        report.refused += slice.refused + slice.jokes.count - jokes.count
        report.note = slice.note
        report.hasChangedFavorites = false
        // A full sync with only bad items has failed. It does not show that other jokes are gone.
        let hasFailed = slice.progress == .complete && report.seen == 0 && report.refused > 0
        if !hasFailed && (!jokes.isEmpty || slice.beginsFullSync || slice.progress == .complete) {
            let stored = try await store.ingest(
                jokes, from: source, at: .now, part: slice.fullSyncPart, position: position)
            report.new += stored.new
            report.changed += stored.changed
            report.duplicates += stored.duplicates
            report.hasChangedFavorites = stored.hasChangedFavorites
        } else if slice.progress == .more, let position {
            // An empty page is not requested again. The end of a sync is stored with its state.
            try await store.save(position, of: source)
        }
        await runner.stored(report, of: source)
        return report
    }
}

/// A lock that one sync at a time holds while it normalizes and stores a slice of its jokes.
///
/// The sync with the fewest stored jokes gets the lock first, so a short sync waits for one slice of a long one.
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
    /// Returns the proxy to use. Reads the file that has its URL, if there is one.
    fileprivate func settings() throws(SourceError) -> ProxySettings {
        switch self {
        case .fromEnvironment: ProxySettings(environment: environment)
        case .direct: .none
        case .url(let url): ProxySettings(url: url, environment: environment)
        case .reference(let place): ProxySettings(url: try place.read(), environment: environment)
        }
    }
}
