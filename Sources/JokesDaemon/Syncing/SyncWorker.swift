import HTTP
import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix

/// What a sync needs from the daemon.
struct SyncHost: Sendable {
    /// Waits until a request may be sent.
    let admitRequest: RequestAdmission
    /// Returns whether to store the position after a batch. A sync of a source that was reconfigured does not.
    let keepsPosition: @Sendable () async -> Bool
    /// Called after each slice with the numbers of the sync so far, and the position of the next batch.
    let stored: @Sendable (SyncReport) async -> Void
}

/// Runs syncs: fetches jokes, normalizes and stores them.
///
/// It has the network loop, so decoding and normalizing do not delay answers to clients.
actor SyncWorker {
    nonisolated let loop: EventLoop
    private let store: JokeStore
    /// Created for the first source that needs it, and again after a change of the settings.
    private var client: HTTPClient?
    private var network: Configuration.Network
    private let turns = StoreTurns()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

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

    /// Returns why sources cannot be asked as they are configured, such as a secret that cannot be read. Sends nothing.
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
    func sync(_ configuration: SourceConfiguration, _ state: SourceState, for host: SyncHost) async -> SyncOutcome {
        do {
            let reader = try SourceReaders(client: currentClient, limits: limits)
                .reader(for: configuration, admission: host.admitRequest)
            let report = try await fetchAll(from: reader, configuration, at: state.position, host)
            if report.seen == 0 && report.refused > 0 && !report.isPaused {
                // Bad items alone mean that the service has changed. The same position is requested again: the next one
                // may have no items, and the sync would seem to succeed.
                var undone = report
                undone.position = state.position
                await host.stored(undone)
                let count = report.refused
                let reason = count == 1 ? "the only item received is not" : "none of the \(count) items received is"
                return .failed(reason: "\(reason) a joke")
            }
            return .succeeded(report)
        } catch let error as SourceError where error.code == .cancelled {
            return .cancelled
        } catch let error as SourceError {
            return .failed(
                reason: error.description, retryAfter: error.retryAfter, isUnreachable: error.isUnreachable)
        } catch let error as StoreError {
            return .failed(reason: error.description)
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
        from reader: any JokeSource, _ configuration: SourceConfiguration, at start: SourcePosition, _ host: SyncHost
    ) async throws -> SyncReport {
        var report = SyncReport(position: start)
        var left = configuration.limit
        var draws = Draws()
        while true {
            let position = report.position
            var batch: SourceBatch
            do throws(SourceError) {
                batch = try await reader.nextBatch(from: position, atMost: left)
            } catch {
                guard error.code == .paused else { throw error }
                if let failure = draws.failure { throw failure }
                // Draws have no end that a later sync could reach. The next one comes after the interval.
                report.isPaused = draws.isEmpty
                return report
            }
            let newBefore = report.new
            var isLast = false
            while !isLast {
                let slice = batch.takeSlice(at: position)
                isLast = slice == nil
                report = try await store(slice ?? batch, isLast: isLast, of: configuration.name, after: report, host)
                left = left.map { max(0, $0 - (slice ?? batch).jokes.count) }
            }
            batch.permission?.release()
            switch batch.progress {
            case .more where left != 0: continue
            case .draw: draws.countSuccess(broughtNew: report.new > newBefore)
            case .failedDraw(let error): draws.count(error)
            default: return report
            }
            if left == 0 || draws.areOver {
                if let failure = draws.failure { throw failure }
                return report
            }
        }
    }

    /// Normalizes and stores a slice, the last one together with the position after the whole batch. Returns the report with
    /// its numbers.
    private func store(
        _ slice: SourceBatch, isLast: Bool, of source: String, after before: SyncReport, _ host: SyncHost
    ) async throws -> SyncReport {
        await turns.take(after: before.seen)
        defer { turns.end() }
        let (jokes, rejected) = normalized(slice.jokes, Normalizer(source: source))
        let position = isLast ? await host.keepsPosition() ? slice.position : nil : nil
        var report = before
        report.position = slice.position
        report.seen += jokes.count
        report.refused += slice.refused + rejected
        report.note = slice.progress.note
        report.hasChangedFavorites = false
        // A full sync of bad items alone has failed: it does not say that the other jokes are missing.
        let hasFailed = slice.progress == .complete && report.seen == 0 && report.refused > 0
        if !hasFailed && (!jokes.isEmpty || slice.beginsSweep || slice.progress == .complete) {
            let stored = try await store.ingest(
                jokes, from: source, at: .now, part: slice.sweepPart, position: position)
            report.new += stored.new
            report.changed += stored.changed
            report.duplicates += stored.duplicates
            report.hasChangedFavorites = stored.hasChangedFavorites
        } else if slice.progress == .more, let position {
            // An empty page is not requested again. The end of a sync is stored with its state.
            try await store.save(position, of: source)
        }
        await host.stored(report)
        return report
    }

    private func normalized(
        _ fetched: [FetchedJoke], _ normalizer: Normalizer
    ) -> (jokes: [NormalizedJoke], rejected: Int) {
        var (jokes, rejected) = ([NormalizedJoke](), 0)
        jokes.reserveCapacity(fetched.count)
        for joke in fetched {
            do throws(Rejection) {
                jokes.append(try normalizer.normalize(joke))
            } catch {
                rejected += 1
            }
        }
        return (jokes, rejected)
    }
}

/// Lets one sync at a time normalize and store a slice of its jokes. Those with the fewest jokes so far come first, so a
/// short sync waits for one slice of a long one.
private final class StoreTurns {
    private var isTaken = false
    private var waiting: [(stored: Int, caller: CheckedContinuation<Void, Never>)] = []

    /// Waits until no other sync has the turn.
    func take(after stored: Int, isolation: isolated (any Actor)? = #isolation) async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { caller in
            waiting.insert((stored, caller), at: waiting.firstIndex { $0.stored > stored } ?? waiting.endIndex)
        }
    }

    /// Gives the turn to the next sync.
    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().caller.resume() }
    }
}

extension SourceBatch {
    fileprivate var sweepPart: SweepPart {
        progress == .draw ? .outside : SweepPart(beginning: beginsSweep, completing: progress == .complete)
    }
}

extension Configuration.Network.Proxy {
    /// Returns the proxy to use. Reads the file that has its URL, if there is one.
    fileprivate func settings() throws(SourceError) -> ProxySettings {
        switch self {
        case .fromEnvironment: ProxySettings(environment: environment)
        case .direct: .none
        case .url(let url): ProxySettings(url: url, environment: environment)
        case .kept(let place): ProxySettings(url: try place.read(), environment: environment)
        }
    }
}

extension SourceBatch.Progress {
    /// A remark on a sync that has succeeded.
    fileprivate var note: String? {
        if case .absent(let sentence) = self { return sentence }
        return nil
    }
}
