import JokesCore
import JokesStore

/// Stores the bundled jokes, so a first start without a network has some.
enum StarterPack {
    /// Stores the jokes of this version, and the version as the position of their source.
    static func install(in store: isolated JokeStore, at now: Timestamp) throws {
        let normalizer = Normalizer(source: StarterJokes.source)
        let jokes = StarterJokes.all.compactMap { try? normalizer.normalize($0) }
        _ = try store.ingest(
            jokes, from: StarterJokes.source, at: now, part: .whole, position: SourcePosition(cursor: jokesdVersion))
    }
}
