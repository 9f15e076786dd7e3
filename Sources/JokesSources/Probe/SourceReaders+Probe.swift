import HTTP
package import JokesCore

extension SourceReaders {
    /// Fetches the URL of a source, and recognizes how to read it. The type of the source does not matter. A second request
    /// shows whether a short list has random jokes.
    package func recognize(
        _ source: SourceConfiguration, through gate: RequestGate
    ) async throws(SourceError) -> RecognizedSource {
        let upstream = try upstream(of: source, through: gate)
        let types = FeedSource.mediaTypes.joined(separator: ", ")
        let answer = try await upstream.get(headers: ["Accept": types])
        let found = try await RecognizedSource(answer, url: upstream.url)
        guard found.mayBeRandom, let second = try? await upstream.get(headers: ["Accept": types]),
            let other = try? await RecognizedSource(second, url: upstream.url)
        else { return found }
        return found.compared(with: other)
    }
}
