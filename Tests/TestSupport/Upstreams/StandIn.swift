import FoundationEssentials
package import Unix

/// The answers of a web service, with its catalog.
package protocol UpstreamService: Sendable {
    /// Returns the answer to a request; `turn` is the number of the request, from 1.
    func answer(to request: LoopbackRequest, turn: Int) -> LoopbackAnswer
    /// The answer to a client that exceeded the rate limit.
    var limiting: LoopbackAnswer { get }
}

/// An imitation of a web service on the loopback interface, with a catalog from a test.
package final class StandIn<Service: UpstreamService>: Sendable {
    /// Replaces the service's own answer to a request, unless it returns `nil`.
    package typealias Interference = @Sendable (LoopbackRequest) -> LoopbackAnswer?

    private struct State {
        var service: Service
        var interference: Interference?
        var isLimiting = false
        var turn = 0
    }

    /// The server, for its requests and `stop`.
    package let server: LoopbackServer
    private let state: Locked<State>

    package init(_ service: Service, port: UInt16 = 0) throws(SystemError) {
        server = try LoopbackServer(port: port)
        state = Locked(State(service: service))
        server.routeEverythingElse { [weak self] request in
            self?.answer(to: request) ?? LoopbackAnswer(status: 500)
        }
    }

    /// The base URL for a source's configuration.
    package var url: String {
        server.url
    }

    /// The service with its catalog; may be changed at any time.
    package var service: Service {
        get { state.withLock { $0.service } }
        set { state.withLock { $0.service = newValue } }
    }

    /// The current interference with the service's answers.
    package var interference: Interference? {
        get { state.withLock { $0.interference } }
        set { state.withLock { $0.interference = newValue } }
    }

    /// Whether it answers as if the client had exceeded the rate limit.
    package var isLimiting: Bool {
        get { state.withLock { $0.isLimiting } }
        set { state.withLock { $0.isLimiting = newValue } }
    }

    private func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let now = state.withLock { state in
            state.turn += 1
            return state
        }
        if let answer = now.interference?(request) { return answer }
        return now.isLimiting ? now.service.limiting : now.service.answer(to: request, turn: now.turn)
    }
}

extension LoopbackAnswer {
    /// Returns a value as JSON, with its type and length.
    static func json(
        encoding value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys, status: Int = 200,
        headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keys
        let body = (try? encoder.encode(value)) ?? Data()
        return LoopbackAnswer(
            status: status, type: "application/json; charset=UTF-8", headers: headers, body: Array(body))
    }

    /// Returns an HTML page, as proxies send.
    package static func html(_ text: String, status: Int = 200) -> LoopbackAnswer {
        .text("<!DOCTYPE html>\n<p>\(text)</p>\n", type: "text/html; charset=UTF-8", status: status)
    }
}
