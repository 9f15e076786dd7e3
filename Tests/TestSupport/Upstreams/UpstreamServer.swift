import FoundationEssentials
package import Unix

/// A model of a web service: its catalog, and its answers.
package protocol UpstreamService: Sendable {
    /// Returns the answer to a request; `requestNumber` counts from 1.
    func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer
    /// The answer to a client that exceeded the rate limit.
    var rateLimitAnswer: LoopbackAnswer { get }
}

/// A server on the loopback interface that answers as a web service does, with a catalog from a test.
package final class UpstreamServer<Service: UpstreamService>: Sendable {
    /// Returns an answer that replaces the service's own answer, or `nil`.
    package typealias AnswerOverride = @Sendable (LoopbackRequest) -> LoopbackAnswer?

    private struct State {
        var service: Service
        var answerOverride: AnswerOverride?
        var isRateLimiting = false
        var requestNumber = 0
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

    /// The function whose answers replace the service's own answers.
    package var answerOverride: AnswerOverride? {
        get { state.withLock { $0.answerOverride } }
        set { state.withLock { $0.answerOverride = newValue } }
    }

    /// True if the server answers as if the client had exceeded the rate limit.
    package var isRateLimiting: Bool {
        get { state.withLock { $0.isRateLimiting } }
        set { state.withLock { $0.isRateLimiting = newValue } }
    }

    private func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let current = state.withLock { state in
            state.requestNumber += 1
            return state
        }
        if let answer = current.answerOverride?(request) { return answer }
        return current.isRateLimiting
            ? current.service.rateLimitAnswer
            : current.service.answer(to: request, requestNumber: current.requestNumber)
    }
}

extension LoopbackAnswer {
    /// Returns a JSON answer with an encoded value.
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
