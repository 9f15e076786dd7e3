import Glibc
import HTTP
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// libcurl does not connect to an https URL without certificate authorities.
    static var needsAuthorities: Self {
        let places = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        ]
        return .enabled(if: places.contains { access($0, R_OK) == 0 }, "ca-certificates is not installed")
    }
}

/// A loopback server and a client on the shared loop.
struct Stage {
    let server: LoopbackServer
    let client: HTTPClient

    init(proxies: ProxySettings = .none) throws {
        server = try LoopbackServer()
        client = HTTPClient(loop: SharedLoop.loop, userAgent: "jokesd/test (+nobody@example.org)", proxies: proxies)
    }

    /// A proxy that answers for all hosts, and a client that uses it.
    static func proxied(
        _ answer: @escaping LoopbackServer.Route = { _ in .json("[]") }
    ) throws -> (proxy: LoopbackServer, client: HTTPClient) {
        let proxy = try LoopbackServer()
        proxy.routeEverythingElse(answer)
        let settings = ProxySettings { $0 == "all_proxy" ? proxy.url : nil }
        return (proxy, HTTPClient(loop: SharedLoop.loop, userAgent: "t", proxies: settings))
    }

    /// A request to the server with local addresses allowed.
    func request(
        _ path: String, headers: HeaderFields = [:], validators: Validators = Validators(),
        limits: HTTPRequest.Limits = HTTPRequest.Limits()
    ) -> HTTPRequest {
        HTTPRequest(
            url: server.url + path, headers: headers, validators: validators, allowsLocalNetwork: true, limits: limits)
    }

    /// The error of a fetch that must fail.
    func failure(of request: HTTPRequest) async throws -> HTTPError {
        let error = await #expect(throws: HTTPError.self) { _ = try await client.fetch(request) }
        return try #require(error)
    }
}

/// The default limits with a change.
func limits(_ change: (inout HTTPRequest.Limits) -> Void) -> HTTPRequest.Limits {
    var limits = HTTPRequest.Limits()
    change(&limits)
    return limits
}

/// The body as text.
func text(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
}
