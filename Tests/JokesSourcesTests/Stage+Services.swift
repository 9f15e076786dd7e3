import JokesCore
import JokesSources
import TestSupport
import Testing

extension Stage {
    /// Returns the reader of a service at the URL.
    func reader(
        _ kind: SourceKind, at url: String, _ adjust: (inout SourceConfiguration) -> Void = { _ in }
    ) throws -> any JokeSource {
        var source = SourceConfiguration(name: "jokes", kind: kind, url: url, allowLocalNetwork: true)
        adjust(&source)
        return try readers.reader(for: source)
    }
}

extension SourceReaders {
    /// Returns a reader that waits before no request.
    func reader(for source: SourceConfiguration) throws(SourceError) -> any JokeSource {
        try reader(for: source, through: .open)
    }
}

extension RequestGate {
    static let open = RequestGate(enter: { .admitted }, leave: { _ in })
}

extension JokeSource {
    /// Returns all batches of one sync, which must end within `steps`.
    func sync(from position: SourcePosition = SourcePosition(), within steps: Int = 1000) async throws -> [SourceBatch]
    {
        var batches: [SourceBatch] = []
        while batches.last.map({ $0.progress == .more }) ?? true {
            try #require(batches.count < steps, "the sync does not end")
            batches.append(try await nextBatch(from: batches.last?.position ?? position, atMost: nil))
        }
        return batches
    }

    /// Returns the batches or the error of a sync.
    func outcome(within steps: Int = 1000) async throws -> Result<[SourceBatch], SourceError> {
        do {
            return .success(try await sync(within: steps))
        } catch let error as SourceError {
            return .failure(error)
        }
    }

    /// Returns the number of syncs in a row without changes.
    func unchangedSyncs(from start: SourcePosition) async throws -> Int {
        var position = start
        for number in 0..<1000 {
            let batch = try await nextBatch(from: position, atMost: nil)
            if batch.progress != .unchanged { return number }
            position = batch.position
        }
        return 1000
    }
}

extension LoopbackServer {
    /// The targets of the requests, in their order.
    var targets: [String] { requests.map(\.target) }
}
