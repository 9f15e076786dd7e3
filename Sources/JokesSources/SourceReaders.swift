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
        switch source.kind {
        case .officialJokeAPI: OfficialJokeAPI(try upstream(of: source, for: source, admission))
        case .jokeAPI: JokeAPI(source, try upstream(of: source, for: source, admission))
        case .iCanHazDadJoke: ICanHazDadJoke(try upstream(of: source, for: source, admission))
        case .chuckNorris: try ChuckNorris(source, try upstream(of: source, for: source, admission))
        case .blaguesAPI: try BlaguesAPI(source, try upstream(of: source, for: source, admission))
        case .fortune: try FortuneSource(source)
        case .json:
            try JSONSource(source) { part throws(SourceError) in try upstream(of: part, for: source, admission) }
        case .jsonfeed:
            try JSONFeedSource(source) { page throws(SourceError) in try upstream(of: page, for: source, admission) }
        case .rss: XMLFeedSource(upstream: try upstream(of: source, for: source, admission))
        }
    }

    /// The upstream of a part of a source, which is the source but for the URL.
    private func upstream(
        of part: SourceConfiguration, for source: SourceConfiguration, _ admission: @escaping RequestAdmission
    ) throws(SourceError) -> Upstream {
        try Upstream(
            part, client: try client.get(), limits: limits, sendsSecret: source.sendsSecret, admission: admission)
    }
}
