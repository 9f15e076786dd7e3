package import HTTP
package import JokesCore
import Unix

/// Waits until a request may be sent. Returns `after` if that takes too long; the sync then ends, and continues later.
package typealias RequestAdmission = @Sendable () async -> RequestAnswer

/// Creates readers for configured sources.
package struct SourceReaders: Sendable {
    private let client: Result<HTTPClient, SourceError>
    private let limits: HTTPRequest.Limits

    /// Readers share the client. If it cannot be created, only readers of files work.
    package init(client: Result<HTTPClient, SourceError>, limits: HTTPRequest.Limits = HTTPRequest.Limits()) {
        (self.client, self.limits) = (client, limits)
    }

    /// Returns the reader of a source, whose requests wait for `admission`.
    package func reader(
        for source: SourceConfiguration, admission: @escaping RequestAdmission = { .admitted }
    ) throws(SourceError) -> any JokeSource {
        func upstream() throws(SourceError) -> Upstream { try self.upstream(of: source, admission: admission) }
        return switch source.kind {
        case .officialJokeAPI: OfficialJokeAPI(upstream: try upstream())
        case .jokeAPI: JokeAPI(source, try upstream())
        case .iCanHazDadJoke: ICanHazDadJoke(upstream: try upstream())
        case .chuckNorris: try ChuckNorris(source, upstream())
        case .blaguesAPI: try BlaguesAPI(source, upstream())
        case .fortune: try FortuneSource(source)
        case .json: JSONSource(source, try upstream())
        case .jsonfeed, .rss: FeedSource(upstream: try upstream(), skipsTitles: source.skipsTitles)
        }
    }

    func upstream(
        of source: SourceConfiguration, admission: @escaping RequestAdmission
    ) throws(SourceError) -> Upstream {
        try Upstream(source, client: client.get(), limits: limits, admission: admission)
    }
}

/// A service on the network: sends requests to its base URL, and checks the answers.
struct Upstream: Sendable {
    private(set) var url: String
    private let source: SourceConfiguration
    private let client: HTTPClient
    private let limits: HTTPRequest.Limits
    private let admission: RequestAdmission

    init(
        _ source: SourceConfiguration, client: HTTPClient, limits: HTTPRequest.Limits,
        admission: @escaping RequestAdmission
    ) throws(SourceError) {
        guard let base = source.url ?? source.kind.traits.origin.url else {
            throw SourceError(.misconfigured, "source '\(source.name)' has no 'url'")
        }
        url = base
        (self.source, self.client, self.limits, self.admission) = (source, client, limits, admission)
    }

    /// The same service at another URL.
    func at(_ url: String) -> Upstream {
        var other = self
        other.url = url
        return other
    }

    /// Returns the answer to a GET of the URL or of a path below it: a success, a 304, or another accepted status.
    func get(
        _ path: String = "", headers: HeaderFields = ["Accept": "application/json"],
        validators: SourceState.Validators = SourceState.Validators(), alsoAccepting statuses: Set<Int> = []
    ) async throws(SourceError) -> HTTPResponse {
        let base = !path.isEmpty && url.hasSuffix("/") ? String(url.dropLast()) : url
        let request = HTTPRequest(
            url: base + path, headers: headers,
            validators: Validators(etag: validators.etag, lastModified: validators.lastModified),
            allowsLocalNetwork: source.allowLocalNetwork, limits: limits)
        if case .after(let wait) = await admission() {
            throw SourceError(.paused, "rate limit of \(source.name) reached", retryAfter: wait)
        }
        let response: HTTPResponse
        do { response = try await client.fetch(request) } catch { throw SourceError(error) }
        let isAccepted = (200..<300).contains(response.status) || response.isNotModified
        if isAccepted || statuses.contains(response.status) { return response }
        throw failure(response)
    }

    private func failure(_ response: HTTPResponse) -> SourceError {
        // A service may repeat a secret in its messages.
        let words = source.sendsSecret ? nil : ErrorBody(response)?.message
        let message = words.map { ": " + line($0, limit: 200) } ?? ""
        let window = (source.rate ?? source.kind.traits.rate)?.per ?? .seconds(60)
        let isBusy = response.status == 429 || response.status == 503
        return SourceError(
            isBusy ? .busy : .status, "\(response.redactedURL) returned \(response.status)\(message)",
            // Some services send Retry-After with every answer.
            retryAfter: isBusy ? response.retryAfter ?? (response.status == 429 ? window : nil) : nil)
    }
}

extension HTTPResponse {
    /// The validators to store. Those that a 304 does not state are those of the request.
    var storedValidators: SourceState.Validators {
        SourceState.Validators(etag: validators.etag, lastModified: validators.lastModified)
    }

    /// The pause that the answer asks for (RFC 9110, 10.2.3), at most a day; nil for none.
    fileprivate var retryAfter: Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        let day: Duration = .seconds(86_400)
        if !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit) {
            return min(Int(text).map { .seconds($0) } ?? day, day)
        }
        let sent = headers["Date"].flatMap { secondsSince1970(httpDate: $0) } ?? wallClockMicroseconds() / 1_000_000
        guard let until = secondsSince1970(httpDate: text), until > sent else { return nil }
        return min(.seconds(until - sent), day)
    }
}
