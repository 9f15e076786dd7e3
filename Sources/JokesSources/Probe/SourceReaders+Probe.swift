import HTTP
package import JokesCore

extension SourceReaders {
    /// Fetches the URL of a source or reads its file, and recognizes how to read it. The type of the source does not matter.
    /// A second request shows whether a short list has random jokes.
    package func recognize(
        _ source: SourceConfiguration, through gate: RequestGate
    ) async throws(SourceError) -> RecognizedSource {
        if let path = source.path, try FortuneSource.canRead(path) {
            let batch = try await FortuneSource(source).nextBatch(from: SourcePosition(), atMost: source.limit)
            return RecognizedSource(SourceEntry(.fortune), batch, [])
        }
        let upstream = try upstream(of: source, through: gate)
        let types = FeedSource.mediaTypes.joined(separator: ", ")
        let answer = try await upstream.get(headers: ["Accept": types])
        let found = try await RecognizedSource(answer, url: upstream.url)
        guard found.mayBeRandom, !upstream.isFile, let second = try? await upstream.get(headers: ["Accept": types]),
            let other = try? await RecognizedSource(second, url: upstream.url)
        else { return found }
        return found.compared(with: other)
    }
}
