import HTTP
package import JokesCore

extension SourceReaders {
    /// Fetches the URL of a source once, and recognizes how to read it. The type of the source does not matter.
    package func recognize(
        _ source: SourceConfiguration, admission: @escaping RequestAdmission
    ) async throws(SourceError) -> RecognizedSource {
        let types = ["application/feed+json", "application/json"] + XMLFeedSource.mediaTypes
        let upstream = try upstream(of: source, admission: admission)
        return try await RecognizedSource(try await upstream.get(headers: ["Accept": types.joined(separator: ", ")]))
    }
}
