import HTTP
import JokesCore
import Unix

/// A service on the network: sends requests to its base URL, and checks the answers.
struct Upstream: Sendable {
    /// The configuration.
    private(set) var url: String
    /// The name of the source, for messages.
    private let name: String
    /// The pause after a 429 that states none.
    private let window: Duration
    private let allowsLocalNetwork: Bool
    /// Whether requests have a secret, which a service may repeat in its messages.
    private let sendsSecret: Bool
    private let client: HTTPClient
    private let limits: HTTPRequest.Limits
    private let admission: RequestAdmission

    init(
        _ source: SourceConfiguration, client: HTTPClient, limits: HTTPRequest.Limits,
        admission: @escaping RequestAdmission
    ) throws(SourceError) {
        guard let base = source.url ?? source.kind.traits.place.url else {
            throw SourceError(.misconfigured, "source '\(source.name)' has no 'url'")
        }
        url = base
        name = source.name
        window = (source.rate ?? source.kind.traits.rate)?.per ?? .seconds(60)
        allowsLocalNetwork = source.allowLocalNetwork
        sendsSecret = source.sendsSecret
        self.client = client
        self.limits = limits
        self.admission = admission
    }

    /// The same service at another URL.
    func at(_ url: String) -> Upstream {
        var other = self
        other.url = url
        return other
    }

    /// Returns the answer to a GET of the URL or of a path below it: a success, a 304 if there are validators, or
    /// another accepted status.
    func get(
        _ path: String = "", headers: HeaderFields = ["Accept": "application/json"],
        validators: SourceState.Validators = SourceState.Validators(), alsoAccepting statuses: Set<Int> = []
    ) async throws(SourceError) -> HTTPResponse {
        let base = !path.isEmpty && url.hasSuffix("/") ? String(url.dropLast()) : url
        let request = HTTPRequest(
            url: base + path, headers: headers,
            validators: Validators(etag: validators.etag, lastModified: validators.lastModified),
            allowsLocalNetwork: allowsLocalNetwork, limits: limits)
        if case .after(let wait) = await admission() {
            throw SourceError(.paused, "rate limit of \(name) reached", retryAfter: wait)
        }
        let response: HTTPResponse
        do {
            response = try await client.fetch(request)
        } catch {
            throw SourceError(error)
        }
        let isAccepted = (200..<300).contains(response.status) || response.isNotModified
        if isAccepted || statuses.contains(response.status) { return response }
        throw failure(response)
    }

    private func failure(_ response: HTTPResponse) -> SourceError {
        let words = sendsSecret ? nil : ErrorBody(response)?.message
        let message = words.map { ": " + line($0, limit: 200) } ?? ""
        let isBusy = response.status == 429 || response.status == 503
        return SourceError(
            isBusy ? .busy : .status, "\(response.redactedURL) returned \(response.status)\(message)",
            retryAfter: retryAfter(response) ?? (response.status == 429 ? window : nil))
    }
}

extension HTTPResponse {
    /// The validators in the stored form.
    var storedValidators: SourceState.Validators {
        SourceState.Validators(etag: validators.etag, lastModified: validators.lastModified)
    }
}

/// Returns the pause that an answer asks for (RFC 9110, 10.2.3), at most a day; nil for none.
///
/// Only for 429 and 503, because some services send the field with every answer. A date is compared with the date of
/// the answer, or with this machine's clock if it has none.
func retryAfter(_ response: HTTPResponse) -> Duration? {
    guard response.status == 429 || response.status == 503, let text = response.headers["Retry-After"] else {
        return nil
    }
    let day: Duration = .seconds(86_400)
    if !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit) {
        return min(Int(text).map { .seconds($0) } ?? day, day)
    }
    let now = wallClockMicroseconds() / 1_000_000
    let sent = response.headers["Date"].flatMap { secondsSince1970(httpDate: $0) } ?? now
    guard let until = secondsSince1970(httpDate: text), until > sent else { return nil }
    return min(.seconds(until - sent), day)
}
