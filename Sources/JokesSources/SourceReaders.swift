package import HTTP
package import JokesCore

/// Makes the reader that a source's configuration asks for.
package struct SourceReaders: Sendable {
    private let client: HTTPClient
    private let limits: HTTPRequest.Limits

    /// Readers that share the client, each request within the limits.
    package init(client: HTTPClient, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        self.client = client
        self.limits = limits
    }

    /// The reader of a source.
    ///
    /// - Throws: `SourceError` with code `misconfigured` where a key is missing that the kind needs.
    package func reader(for source: SourceConfiguration) throws(SourceError) -> any JokeSource {
        switch source.kind {
        case .officialJokeAPI: OfficialJokeAPI(upstream(of: source, OfficialJokeAPI.service))
        case .fortune: try FortuneSource(source)
        }
    }

    private func upstream(of source: SourceConfiguration, _ service: Upstream.Service) -> Upstream {
        Upstream(service, url: source.url, allowsLocalNetwork: source.allowLocalNetwork, client: client, limits: limits)
    }
}
