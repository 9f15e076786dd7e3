import JokeCorpus
import JokesCore
import JokesStore
import Unix

/// A part of the benchmark, with a name to ask for it by.
protocol Part {
    static var name: String { get }
    /// What it measures, in a line.
    static var summary: String { get }

    static func measure(_ cache: Cache) async throws -> [Figure]
}

/// A store full of generated jokes, on a loop of its own as in the daemon.
struct Cache {
    static let source = "generated"

    let folder: String
    let store: JokeStore
    let jokes: Int
    let loop: EventLoop

    init(folder: String, jokes: Int) async throws {
        loop = try EventLoop()
        try loop.start(name: "store")
        self.folder = folder
        self.jokes = jokes
        store = try JokeStore(
            folder: folder, executor: loop,
            rules: ShowingRules(sourceOrder: [Self.source], filter: JokeFilter(safe: false, maxLength: nil)))
        let normalizer = Normalizer(source: Self.source, language: "en", safety: .safe)
        var all: [NormalizedJoke] = []
        try Corpus.forEach(jokes) { all.append(try normalizer.normalize(FetchedJoke(setup: $0))) }
        let batchSize = 2_048
        for start in stride(from: 0, to: all.count, by: batchSize) {
            let end = min(start + batchSize, all.count)
            let part = SweepPart(beginning: start == 0, completing: end == all.count)
            _ = try await store.ingest(
                Array(all[start..<end]), from: Self.source, at: Timestamp(microseconds: wallClockMicroseconds()),
                part: part)
        }
    }
}

/// What calls took, beside a yardstick of the same run.
struct Figure {
    let part: String
    let what: String
    /// Of each call, in the unit.
    let times: [Double]
    /// What the yardstick is, and what its calls took.
    let yardstick: (what: String, times: [Double])
    var unit = "ms"
    /// More that belongs to it, for people.
    var note = ""
}

/// The time that a call takes, in milliseconds.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .milliseconds(1)
}
