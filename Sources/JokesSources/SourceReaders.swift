package import HTTP
package import JokesCore

/// What the requests of a source must pass.
package struct RequestGate: Sendable {
    /// Waits until a request may be sent. Returns `after` if that takes too long: a sync then ends, and continues later.
    let enter: @Sendable () async throws(CancellationError) -> RequestAnswer
    /// Called after each request that was admitted, with the pause that the service has asked for.
    let leave: @Sendable (_ retryAfter: Duration?) async -> Void

    package init(
        enter: @escaping @Sendable () async throws(CancellationError) -> RequestAnswer,
        leave: @escaping @Sendable (_ retryAfter: Duration?) async -> Void
    ) {
        (self.enter, self.leave) = (enter, leave)
    }
}

/// Creates readers for configured sources.
package struct SourceReaders: Sendable {
    private let client: Result<HTTPClient, SourceError>
    private let limits: HTTPRequest.Limits

    /// Readers share the client. If it cannot be created, only readers of files work.
    package init(client: Result<HTTPClient, SourceError>, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        (self.client, self.limits) = (client, limits)
    }

    /// Returns the reader of a source.
    package func reader(
        for source: SourceConfiguration, through gate: RequestGate
    ) throws(SourceError) -> any JokeSource {
        func upstream() throws(SourceError) -> Upstream { try self.upstream(of: source, through: gate) }
        return switch source.kind {
        case .officialJokeAPI: OfficialJokeAPI(upstream: try upstream())
        case .jokeAPI: JokeAPI(source, try upstream())
        case .iCanHazDadJoke: JSONSource.iCanHazDadJoke(source, try upstream())
        case .chuckNorris: JSONSource.chuckNorris(source, try upstream())
        case .blaguesAPI: try BlaguesAPI(source, upstream())
        case .fortune: try FortuneSource(source)
        case .json: JSONSource(source, try upstream())
        case .jsonfeed, .rss: FeedSource(upstream: try upstream(), skipsTitles: source.skipsTitles)
        }
    }

    func upstream(of source: SourceConfiguration, through gate: RequestGate) throws(SourceError) -> Upstream {
        try Upstream(source, client: client.get(), limits: limits, through: gate)
    }
}
