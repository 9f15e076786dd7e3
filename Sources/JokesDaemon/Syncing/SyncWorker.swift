import HTTP
import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix

/// What a worker asks of the daemon while it syncs a source.
struct SyncHost: Sendable {
    /// Waits until a request may go out.
    let admitRequest: RequestAdmission
    /// Whether the place behind a batch is to be kept: what is asked may not be what is wanted any more.
    let keepsPosition: @Sendable () async -> Bool
    /// Told after each batch what came so far; the report's position is where the next batch begins.
    let stored: @Sendable (SyncReport) async -> Void
}

/// Asks sources and brings what they answer into the store: fetch, normalise, ingest.
///
/// Lives on the network loop, so that decoding and normalising delay nobody who asks the daemon something.
actor SyncWorker {
    nonisolated let loop: EventLoop
    private let store: JokeStore
    /// Made when the first source needs it, and anew for other settings.
    private var client: HTTPClient?
    private var network: Configuration.Network
    private var turns = StoreTurns()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    init(loop: EventLoop, store: JokeStore, network: Configuration.Network) {
        self.loop = loop
        self.store = store
        self.network = network
    }

    /// Follows these settings from the next sync on.
    func adopt(_ network: Configuration.Network) {
        if (network.userAgent, network.proxy) != (self.network.userAgent, self.network.proxy) { client = nil }
        self.network = network
    }

    private var currentClient: Result<HTTPClient, SourceError> {
        if let client { return .success(client) }
        return Result { () throws(SourceError) in
            let made = HTTPClient(loop: loop, userAgent: network.userAgent, proxies: try network.proxy.settings())
            client = made
            return made
        }
    }

    /// What keeps sources from being asked as they are configured, such as a secret that cannot be read; nothing is sent.
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

    /// How far this machine's clock is ahead of those of the servers that have answered.
    func leadsOverServers() async -> [Duration] {
        guard let client else { return [] }
        return await client.serverClocks.leads(of: wallClockMicroseconds(), at: .now)
    }

    /// Asks a source once, stores what it answers, a batch at a time, and tells how it ended.
    ///
    /// Batches that were stored before a failure stay.
    func sync(_ configuration: SourceConfiguration, _ state: SourceState, for host: SyncHost) async -> SyncOutcome {
        do {
            let reader = try SourceReaders(client: currentClient, limits: limits)
                .reader(for: configuration, admission: host.admitRequest)
            let report = try await sweep(reader, configuration, from: state.position, host)
            if report.seen == 0 && report.refused > 0 && !report.isPaused {
                // One bad item is the upstream's slip; nothing but bad ones is not the service that it was. It is asked
                // for the same again: behind it there may be nothing, which would look as if all were well.
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

    /// Asks step by step; while a batch is stored, on the store's thread, the next is fetched and decoded on this one.
    private func sweep(
        _ reader: any JokeSource, _ configuration: SourceConfiguration, from start: SourcePosition, _ host: SyncHost
    ) async throws -> SyncReport {
        try await withThrowingTaskGroup(of: SyncReport.self) { storing in
            var report = SyncReport(position: start)
            var position = start
            var left = configuration.limit
            var draws = Draws()
            var hasTurn = false
            defer { if hasTurn { turns.end() } }
            while true {
                // Nobody waits for a network.
                if hasTurn && configuration.kind.traits.usesNetwork {
                    report = try await storing.next() ?? report
                    turns.end()
                    hasTurn = false
                }
                var batch: SourceBatch
                do throws(SourceError) {
                    batch = try await reader.nextBatch(from: position, atMost: left)
                } catch {
                    // What was fetched before counts, whatever became of this step.
                    report = try await storing.next() ?? report
                    guard error.code == .paused else { throw error }
                    if let failure = draws.failure { throw failure }
                    // Draws have no end to go on to; the interval says when there are more.
                    report.isPaused = draws.isEmpty
                    return report
                }
                var newBefore: Int?
                var isLast = false
                while !isLast {
                    if hasTurn && turns.othersWait {
                        report = try await storing.next() ?? report
                        turns.end()
                        hasTurn = false
                    }
                    if !hasTurn { await takeTurn(after: report.seen) }
                    hasTurn = true
                    let part = batch.takeSlice(at: position)
                    isLast = part == nil
                    let slice = part ?? batch
                    let (jokes, rejected) = normalized(slice.jokes, Normalizer(source: configuration.name))
                    report = try await storing.next() ?? report
                    newBefore = newBefore ?? report.new
                    let before = report
                    let keepsPosition = isLast ? await host.keepsPosition() : false
                    let kept = keepsPosition ? batch.position : nil
                    // At once: what it waits for first is the store's thread, which has it while this one goes on.
                    storing.addImmediateTask {
                        try await self.store(
                            jokes, of: slice, rejected: rejected, from: configuration.name, goingOnAt: kept,
                            after: before, host)
                    }
                    left = left.map { max(0, $0 - slice.jokes.count) }
                }
                batch.permission?.release()
                position = batch.position
                if batch.progress == .more && left != 0 { continue }
                report = try await storing.next() ?? report
                switch batch.progress {
                case .draw: draws.countSuccess(broughtNew: report.new > newBefore ?? 0)
                case .failedDraw(let error): draws.count(error)
                default: return report
                }
                if left == 0 || draws.areOver {
                    if let failure = draws.failure { throw failure }
                    return report
                }
            }
        }
    }

    /// Stores a batch, and where the next one begins unless that is nil, and tells what has come with it.
    private func store(
        _ jokes: [NormalizedJoke], of batch: SourceBatch, rejected: Int, from source: String,
        goingOnAt position: SourcePosition?, after before: SyncReport, _ host: SyncHost
    ) async throws -> SyncReport {
        var report = before
        report.position = batch.position
        report.seen += jokes.count
        report.refused += batch.refused + rejected
        report.note = batch.progress.note
        report.hasChangedFavorites = false
        // A full sync of bad items alone has failed: it does not say that the other jokes are missing.
        let hasFailed = batch.progress == .complete && report.seen == 0 && report.refused > 0
        guard !hasFailed, !jokes.isEmpty || batch.beginsSweep || batch.progress == .complete else {
            // A sweep's empty window is not asked for again; what ends the sync is stored with its end.
            if batch.progress == .more, let position { try await store.save(position, of: source) }
            await host.stored(report)
            return report
        }
        let stored = try await store.ingest(jokes, from: source, at: .now, part: batch.sweepPart, position: position)
        report.new += stored.new
        report.changed += stored.changed
        report.duplicates += stored.duplicates
        report.hasChangedFavorites = stored.hasChangedFavorites
        await host.stored(report)
        return report
    }

    private func takeTurn(after stored: Int) async {
        if turns.take() { return }
        await withCheckedContinuation { turns.wait($0, after: stored) }
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
private struct StoreTurns {
    private var isTaken = false
    private var waiting: [(stored: Int, caller: CheckedContinuation<Void, Never>)] = []

    var othersWait: Bool { !waiting.isEmpty }

    /// Takes the turn if it is free. Returns whether it was.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Resumes the caller when it has the turn.
    mutating func wait(_ caller: CheckedContinuation<Void, Never>, after stored: Int) {
        waiting.insert((stored, caller), at: waiting.firstIndex { $0.stored > stored } ?? waiting.endIndex)
    }

    mutating func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().caller.resume() }
    }
}

extension SourceBatch {
    fileprivate var sweepPart: SweepPart {
        progress == .draw ? .outside : SweepPart(beginning: beginsSweep, completing: progress == .complete)
    }
}

extension Configuration.Network.Proxy {
    /// The proxy to use; reads a file where it is kept in one.
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
    /// What people are told of a sync that went well and yet not as usual.
    fileprivate var note: String? {
        if case .absent(let sentence) = self { return sentence }
        return nil
    }
}
