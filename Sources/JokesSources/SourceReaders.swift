package import HTTP
package import JokesCore

/// Waits until a request may be sent. Returns `after` if that takes too long; the sync then ends, and continues later.
package typealias RequestAdmission = @Sendable () async -> RequestAnswer

/// Creates readers for configured sources.
package struct SourceReaders: Sendable {
    private let client: Result<HTTPClient, SourceError>
    private let limits: HTTPRequest.Limits

    /// Readers share the client. If it cannot be created, only readers of files work.
    package init(client: Result<HTTPClient, SourceError>, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        self.client = client
        self.limits = limits
    }

    /// Returns the reader of a source, whose requests wait for `admission`. Throws if a key is missing, or a secret cannot
    /// be read.
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
        case .json: JSONSource(source, try upstream())
        case .jsonfeed: JSONFeedSource(upstream: try upstream())
        case .rss: XMLFeedSource(upstream: try upstream())
        }
    }
}
