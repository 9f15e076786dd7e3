import JokesCore
import JokesStore

/// Brings the jokes that are compiled in into the store, so that a first start without a network has something to tell.
enum StarterPack {
    /// Once for each version of the program, which is where their source is then.
    static func install(in store: isolated JokeStore, at now: Timestamp) throws {
        let normalizer = Normalizer(source: StarterJokes.source)
        let jokes = StarterJokes.all.compactMap { try? normalizer.normalize($0) }
        _ = try store.ingest(
            jokes, from: StarterJokes.source, at: now, part: .whole, position: SourcePosition(cursor: jokesdVersion))
    }
}
