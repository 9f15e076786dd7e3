import HTTP
package import JokesCore

extension SourceReaders {
    /// Fetches the URL of a source once, and recognizes how to read it. The type of the source does not matter.
    package func recognize(
        _ source: SourceConfiguration, through gate: RequestGate
    ) async throws(SourceError) -> RecognizedSource {
        let upstream = try upstream(of: source, through: gate)
        let types = FeedSource.mediaTypes.joined(separator: ", ")
        return try await RecognizedSource(try await upstream.get(headers: ["Accept": types]))
    }
}
