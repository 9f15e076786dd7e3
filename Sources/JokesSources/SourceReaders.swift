package import HTTP
package import JokesCore

/// Asked before each request to a source's upstream: waits until the request may go out. Answers `after` where that is
/// longer than a sync should wait; the sync ends with what it has then, and goes on another time.
package typealias RequestAdmission = @Sendable () async -> RequestAnswer

/// Makes the reader that a source's configuration asks for.
package struct SourceReaders: Sendable {
    private let client: Result<HTTPClient, SourceError>
    private let limits: HTTPRequest.Limits

    /// Readers that share the client, each request within the limits.
    package init(client: HTTPClient, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        self.init(client: .success(client), limits: limits)
    }

    /// Readers that share the client, or what there is against making one: then those that need none still read.
    package init(client: Result<HTTPClient, SourceError>, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        self.client = client
        self.limits = limits
    }

    /// The reader of a source, each of whose requests waits for the admission.
    ///
    /// - Throws: `SourceError` with code `misconfigured` where a key is missing that the kind needs, or a secret cannot
    ///   be read.
    package func reader(
        for source: SourceConfiguration, admission: @escaping RequestAdmission = { .admitted }
    ) throws(SourceError) -> any JokeSource {
        func upstream() throws(SourceError) -> Upstream {
            try Upstream(source, client: client.get(), limits: limits, admission: admission)
        }
        return switch source.kind {
        case .officialJokeAPI: OfficialJokeAPI(upstream: try upstream())
        case .jokeAPI: JokeAPI(source, try upstream())
        case .iCanHazDadJoke: ICanHazDadJoke(upstream: try upstream())
        case .chuckNorris: try ChuckNorris(source, upstream())
        case .blaguesAPI: try BlaguesAPI(source, upstream())
        case .fortune: try FortuneSource(source)
        case .json: try JSONSource(source, upstream())
        case .jsonfeed: JSONFeedSource(upstream: try upstream())
        case .rss: XMLFeedSource(upstream: try upstream())
        }
    }
}
