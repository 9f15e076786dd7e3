import HTTP
import JokesCore
import JokesSources
import JokesStore
import Unix

/// The figures of one stage of the import.
struct Figure {
    let stage: String
    let jokes: Int
    let seconds: Double
    /// The processor time of all threads.
    let processorSeconds: Double
    /// The longest time that another writer would have to wait; nil if the stage writes nothing.
    var longestBatch: Double?
    /// The peak memory of the process; nil if it was not measured.
    var peakBytes: Int?

    var jokesPerSecond: Double {
        Double(jokes) / seconds
    }
}

/// The path of jokes from a fortune file into the store, complete and in stages. It runs on its own loop, as a sync in
/// the daemon does; the store runs on another loop.
actor Stages {
    private nonisolated let loop: EventLoop
    private let storeLoop: EventLoop
    private let reader: any JokeSource
    private let normalizer: Normalizer
    private let source: String

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    init(file: String, loop: EventLoop, storeLoop: EventLoop) throws {
        let configuration = SourceConfiguration(
            name: "fortunes", kind: .fortune, path: file, language: "en", safety: .safe)
        let client = HTTPClient(loop: loop, userAgent: "benchmark", proxies: ProxySettings(environment: { _ in nil }))
        let gate = RequestGate(enter: { .admitted }, leave: { _ in })
        reader = try SourceReaders(client: .success(client)).reader(for: configuration, through: gate)
        normalizer = Normalizer(source: configuration.name)
        source = configuration.name
        self.loop = loop
        self.storeLoop = storeLoop
    }

    /// Measures the path from the file to stored and searchable jokes. One thread decodes and normalizes a batch while
    /// another stores the previous one.
    func whole(folder: String) async throws -> Figure {
        let store = try open(folder)
        let start = Start()
        var count = 0
        var longest = Duration.zero
        var position = SourcePosition()
        var storing: Task<Duration, any Error>?
        var progress = SourceBatch.Progress.more
        while progress == .more {
            let batch = try await reader.nextBatch(from: position, atMost: nil)
            let jokes = batch.jokes.compactMap { try? normalizer.normalize($0) }
            count += batch.jokes.count
            if let storing { longest = max(longest, try await storing.value) }
            (position, progress) = (batch.position, batch.progress)
            let part = BatchPart(
                beginsFullSync: batch.beginsFullSync, completesFullSync: progress == .complete,
                beginsPass: batch.beginsFullSync)
            let here = SourcePosition(cursor: position.cursor)
            // The call starts at once on the thread of the store, before this thread continues.
            storing = Task.immediate { try await Self.store(jokes, part, here, in: store, source) }
        }
        if let storing { longest = max(longest, try await storing.value) }
        return Figure(
            stage: "whole", jokes: count, seconds: start.seconds, processorSeconds: start.processorSeconds,
            longestBatch: longest / .milliseconds(1), peakBytes: Memory.peak)
    }

    func decoding() async throws -> (Figure, [[FetchedJoke]]) {
        let start = Start()
        var batches: [[FetchedJoke]] = []
        var position = SourcePosition()
        var progress = SourceBatch.Progress.more
        while progress == .more {
            let batch = try await reader.nextBatch(from: position, atMost: nil)
            batches.append(batch.jokes)
            (position, progress) = (batch.position, batch.progress)
        }
        return (figure("decode", batches, since: start), batches)
    }

    func normalizing(_ batches: [[FetchedJoke]]) -> (Figure, [[NormalizedJoke]]) {
        let start = Start()
        let normalized = batches.map { batch in batch.compactMap { try? normalizer.normalize($0) } }
        return (figure("normalize", batches, since: start), normalized)
    }

    func storing(_ batches: [[NormalizedJoke]], folder: String) async throws -> Figure {
        let store = try open(folder)
        let start = Start()
        var longest = Duration.zero
        for (number, batch) in batches.enumerated() {
            let part = BatchPart(
                beginsFullSync: number == 0, completesFullSync: number == batches.count - 1, beginsPass: number == 0)
            longest = max(
                longest,
                try await Self.store(
                    batch, part, SourcePosition(cursor: "\(number)"), in: store, source))
        }
        var figure = figure("store", batches, since: start)
        figure.longestBatch = longest / .milliseconds(1)
        return figure
    }

    private func open(_ folder: String) throws -> JokeStore {
        try JokeStore(folder: folder, executor: storeLoop, rules: DisplayRules(sourceOrder: [source]))
    }

    private static func store(
        _ jokes: [NormalizedJoke], _ part: BatchPart, _ position: SourcePosition,
        in store: JokeStore, _ source: String
    ) async throws -> Duration {
        let start = ContinuousClock.now
        _ = try await store.ingest(
            jokes, from: source, at: Timestamp(microseconds: wallClockMicroseconds()), part: part,
            position: position)
        return start.duration(to: .now)
    }

    private func figure(_ stage: String, _ batches: [[some Any]], since start: Start) -> Figure {
        Figure(
            stage: stage, jokes: batches.reduce(0) { $0 + $1.count },
            seconds: start.seconds, processorSeconds: start.processorSeconds)
    }
}

/// The start of a stage, in wall-clock time and processor time.
private struct Start {
    private let time = ContinuousClock.now
    private let processor = processorTime()

    var seconds: Double { time.duration(to: .now) / .seconds(1) }
    var processorSeconds: Double { processorTime() - processor }
}
