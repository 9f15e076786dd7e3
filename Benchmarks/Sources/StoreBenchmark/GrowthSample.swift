import Glibc
import JokeCorpus
import JokesCore
import JokesStore
import Measuring
import SQLite
import Unix

/// A database that two sources have filled in turns, in slices as in the daemon. One source has no IDs, as many feeds.
struct GrowthSample {
    let folder: String
    /// The bytes that this process wrote to files, including a checkpoint of the whole WAL.
    let writtenBytes: Double
    /// The size of the database.
    let fileBytes: Double
    /// The seconds in the store, without the normalizer.
    let ingest: Double
    /// The milliseconds that a change of the filter takes, which excludes one joke of twenty. The change is undone.
    let rulesChange: Double

    /// Makes the folder and the database. The first daemon on the folder has already run.
    init(folder: String, jokes: Int) async throws {
        self.folder = folder
        try makeFolder(folder, mode: 0o700)
        let process = MeasuredProcess(pid: getpid())
        let before = try process.writtenBytes()
        let loop = try EventLoop()
        try loop.start(name: "growth")
        let rules = DisplayRules(sourceOrder: [], filter: JokeFilter(safe: false, maxLength: nil))
        let store = try JokeStore(folder: folder, executor: loop, rules: rules)
        await store.adopt(CacheLimits(maxJokes: 1_000_000))
        var duration = Duration.zero
        for (number, slice) in try Self.slices(jokes).enumerated() {
            duration += try await Self.ingest(slice, number, of: jokes, in: store)
        }
        ingest = duration / .seconds(1)
        let database = try Connection(path: store.path, access: .writing)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writtenBytes = try process.writtenBytes() - before
        fileBytes = Double(try JokeReader(of: store).facts().bytes)
        let start = ContinuousClock.now
        try await store.adopt(DisplayRules(sourceOrder: [], filter: JokeFilter(safe: false, maxLength: 270)))
        rulesChange = start.duration(to: .now) / .milliseconds(1)
        try await store.adopt(rules)
        try MeasuredDaemon(on: folder).stop()
    }

    private static func slices(_ jokes: Int) throws -> [[NormalizedJoke]] {
        let normalizers = [Normalizer(source: "texts"), Normalizer(source: "numbers")]
        var slices: [[NormalizedJoke]] = []
        var number = 0
        try Corpus.forEach(jokes) { text in
            if number.isMultiple(of: JokeStore.sliceCount) { slices.append([]) }
            let source = (slices.count - 1) % 2
            let language = number.isMultiple(of: 5_000) ? "eo" : number.isMultiple(of: 4) ? "de" : "en"
            let joke = FetchedJoke(
                upstreamID: source == 0 ? nil : "\(number)", setup: text, language: language,
                categories: ["topic \(number % 30)"])
            slices[slices.count - 1].append(try normalizers[source].normalize(joke))
            number += 1
        }
        return slices
    }

    private static func ingest(
        _ slice: [NormalizedJoke], _ number: Int, of jokes: Int, in store: JokeStore
    ) async throws -> Duration {
        let isFirst = number < 2
        let isLast = (number + 2) * JokeStore.sliceCount >= jokes
        let start = ContinuousClock.now
        _ = try await store.ingest(
            slice, from: ["texts", "numbers"][number % 2], at: Timestamp(microseconds: wallClockMicroseconds()),
            part: BatchPart(
                beginsFullSync: isFirst, completesFullSync: isLast, beginsPass: isFirst, endsAnswer: isLast))
        return start.duration(to: .now)
    }
}
