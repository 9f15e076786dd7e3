import JokeCorpus
import JokesCore
package import JokesStore
import Unix

/// A store full of generated jokes, on its own loop as in the daemon.
package struct Cache {
    private static let source = "generated"

    package let folder: String
    package let store: JokeStore
    package let jokes: Int
    private let loop: EventLoop

    /// Makes the store in the folder and fills it.
    package init(folder: String, jokes: Int) async throws {
        loop = try EventLoop()
        try loop.start(name: "store")
        self.folder = folder
        self.jokes = jokes
        store = try JokeStore(
            folder: folder, executor: loop,
            // Jokes of a source that was removed from the configuration are hidden.
            rules: DisplayRules(sourceOrder: [], filter: JokeFilter(safe: false, maxLength: nil)))
        let normalizer = Normalizer(source: Self.source)
        var all: [NormalizedJoke] = []
        try Corpus.forEach(jokes) { all.append(try normalizer.normalize(FetchedJoke(setup: $0))) }
        let batchSize = 2_048
        for start in stride(from: 0, to: all.count, by: batchSize) {
            let end = min(start + batchSize, all.count)
            let part = BatchPart(
                beginsFullSync: start == 0, completesFullSync: end == all.count, beginsPass: start == 0)
            _ = try await store.ingest(
                Array(all[start..<end]), from: Self.source, at: Timestamp(microseconds: wallClockMicroseconds()),
                part: part)
        }
    }
}
