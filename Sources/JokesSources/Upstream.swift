import Glibc
import HTTP
import JokesCore
import Unix

/// A service on the network: sends requests to its base URL, and checks the answers. The file of a source answers instead
/// if the source has one.
struct Upstream: Sendable {
    private(set) var url: String
    private let source: SourceConfiguration
    private let client: HTTPClient
    private let limits: HTTPRequest.Limits
    private let gate: RequestGate

    init(
        _ source: SourceConfiguration, client: HTTPClient, limits: HTTPRequest.Limits, through gate: RequestGate
    ) throws(SourceError) {
        guard let base = source.path.map({ "file://\($0)" }) ?? source.url ?? source.kind.traits.origin.url else {
            throw SourceError(.misconfigured, "source '\(source.name)' has no 'url'")
        }
        url = base
        (self.source, self.client, self.limits, self.gate) = (source, client, limits, gate)
    }

    /// True if a file answers, which has all jokes of the source.
    var isFile: Bool { source.path != nil }

    /// The URL without a slash at its end.
    var base: String { url.hasSuffix("/") ? String(url.dropLast()) : url }

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
        if let file = source.path { return try answer(ofFile: file, validators) }
        let request = HTTPRequest(
            url: path.isEmpty ? url : base + path, headers: try source.addingHeaders(to: headers),
            validators: Validators(etag: validators.etag, lastModified: validators.lastModified),
            allowsLocalNetwork: source.allowLocalNetwork, limits: limits)
        try await enterGate()
        let response: HTTPResponse
        do { response = try await client.fetch(request) } catch {
            await gate.leave(nil)
            throw SourceError(error)
        }
        let isAccepted = (200..<300).contains(response.status) || response.isNotModified
        let failure = isAccepted || statuses.contains(response.status) ? nil : failure(response)
        await gate.leave(failure?.retryAfter)
        if let failure { throw failure }
        return response
    }

    /// Returns the contents of a file. Its validator is the state of the file.
    private func answer(ofFile path: String, _ validators: SourceState.Validators) throws(SourceError) -> HTTPResponse {
        do throws(SystemError) {
            let file = try RegularFile(opening: path)
            if file.version.size > limits.bodyBytes { throw SystemError("read", path, code: EFBIG) }
            let etag = "\(file.version)"
            let isSame = etag == validators.etag
            return HTTPResponse(
                status: isSame ? 304 : 200, body: isSame ? [] : try file.bytes(at: 0, count: file.version.size),
                headers: ["Content-Type": "text/plain"], url: "file://\(path)", validators: Validators(etag: etag))
        } catch {
            throw SourceError(error)
        }
    }

    private func enterGate() async throws(SourceError) {
        let answer: RequestAnswer
        do { answer = try await gate.enter() } catch { throw SourceError(.cancelled, "the request was canceled") }
        if case .after(let wait, let reason) = answer { throw SourceError(.paused, reason, retryAfter: wait) }
    }

    private func failure(_ response: HTTPResponse) -> SourceError {
        // A service may repeat a secret in its messages.
        let words = source.sendsSecret ? nil : ErrorBody(response)?.message
        let message = words.map { ": " + line($0, limit: 200) } ?? ""
        let window = (source.rate ?? source.kind.traits.rate)?.per ?? .seconds(60)
        let isBusy = response.status == 429 || response.status == 503
        let isDenied = response.status == 401 || response.status == 403
        return SourceError(
            isBusy ? .busy : .status, "\(response.redactedURL) returned \(response.status)\(message)",
            // Some services send Retry-After with every answer.
            retryAfter: isBusy ? response.retryAfter ?? (response.status == 429 ? window : nil) : nil,
            hint: isDenied
                ? "Give the key to source add or source set: --header 'Authorization: Bearer @file:/path/to/token'. Some "
                    + "servers require network.contact in the configuration." : nil)
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
