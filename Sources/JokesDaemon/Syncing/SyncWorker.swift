import HTTP
import JokesCore
import JokesSources
import JokesStore
import Unix

/// Asks sources and brings what they answer into the store: fetch, normalise, ingest.
///
/// Lives on the network loop, so that decoding and normalising delay nobody who asks the daemon something.
actor SyncWorker {
    nonisolated let loop: EventLoop
    private let store: JokeStore
    private var client: HTTPClient
    private var network: Configuration.Network

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    init(loop: EventLoop, store: JokeStore, network: Configuration.Network) {
        self.loop = loop
        self.store = store
        self.network = network
        client = Self.client(loop, network)
    }

    private static func client(_ loop: EventLoop, _ network: Configuration.Network) -> HTTPClient {
        HTTPClient(loop: loop, userAgent: network.userAgent, proxies: ProxySettings(environment: environment))
    }

    /// Follows these settings from the next request on.
    func adopt(_ network: Configuration.Network) {
        if network.userAgent != self.network.userAgent { client = Self.client(loop, network) }
        self.network = network
    }

    /// Asks a source once, stores what it answers, a batch at a time, and tells how it ended.
    ///
    /// `stored` is called after each batch that brought something. Batches that were stored before a failure stay.
    func sync(
        _ configuration: SourceConfiguration, _ state: SourceState, stored: @Sendable () async -> Void
    ) async -> SyncOutcome {
        do {
            let reader = try SourceReaders(client: client, limits: limits).reader(for: configuration)
            return try await sweep(reader, configuration, from: SourcePosition(state), stored)
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

    private func sweep(
        _ reader: any JokeSource, _ configuration: SourceConfiguration, from start: SourcePosition,
        _ stored: @Sendable () async -> Void
    ) async throws -> SyncOutcome {
        var (position, new, refused, left) = (start, 0, 0, configuration.limit)
        while true {
            let batch = try await reader.nextBatch(from: position, atMost: left)
            let (jokes, rejected) = normalized(batch.jokes, configuration.normalizer)
            let part = batch.sweepPart
            if !jokes.isEmpty || batch.beginsSweep || batch.progress == .complete {
                let report = try await store.ingest(jokes, from: configuration.name, at: .now, part: part)
                new += report.new
                await stored()
            }
            refused += batch.refused + rejected
            position = batch.position
            left = left.map { max(0, $0 - batch.jokes.count) }
            if batch.progress != .more || left == 0 {
                return .succeeded(
                    validators: position.validators, cursor: position.cursor, new: new, refused: refused,
                    note: batch.progress.note)
            }
        }
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

extension SourceBatch {
    fileprivate var sweepPart: SweepPart {
        progress == .draw ? .outside : SweepPart(beginning: beginsSweep, completing: progress == .complete)
    }
}

extension SourceBatch.Progress {
    /// What people are told of a sync that went well and yet not as usual.
    fileprivate var note: String? {
        if case .absent(let sentence) = self { return sentence }
        return nil
    }
}
