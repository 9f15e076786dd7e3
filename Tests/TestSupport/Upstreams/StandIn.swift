import FoundationEssentials
package import Unix

/// How one of the services on the network answers, its catalogue included.
package protocol UpstreamService: Sendable {
    /// The answer to a request, of which there were so many before.
    func answer(to request: LoopbackRequest, turn: Int) -> LoopbackAnswer
    /// What an address is told that asks too often.
    var limiting: LoopbackAnswer { get }
}

/// A service's shapes and quirks on the loopback interface, with a catalogue that a test makes up.
package final class StandIn<Service: UpstreamService>: Sendable {
    /// Takes the place of the service's own answer to a request, unless it is nil.
    package typealias Interference = @Sendable (LoopbackRequest) -> LoopbackAnswer?

    private struct State {
        var service: Service
        var interference: Interference?
        var isLimiting = false
        var turn = 0
    }

    /// For the requests it received, and to be stopped.
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

    /// The service with its catalogue; may be edited at any time.
    package var service: Service {
        get { state.withLock { $0.service } }
        set { state.withLock { $0.service = newValue } }
    }

    /// What comes between a request and the service's answer.
    package var interference: Interference? {
        get { state.withLock { $0.interference } }
        set { state.withLock { $0.interference = newValue } }
    }

    /// Whether it answers as to an address that has asked too often.
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
    /// A value as JSON, with its type and length.
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

    /// An HTML page, as proxies and other strangers answer.
    package static func html(_ text: String, status: Int = 200) -> LoopbackAnswer {
        .text("<!DOCTYPE html>\n<p>\(text)</p>\n", type: "text/html; charset=UTF-8", status: status)
    }
}
