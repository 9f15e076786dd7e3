/// The steps that a `LoopbackServer` performs for one request, in order.
package struct LoopbackAnswer: Sendable {
    /// An action of the server on the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Waits until a test opens the gate, or the client disconnects.
        case wait(Gate)
        /// Sends one byte at a time, with this delay between them.
        case trickle([UInt8], every: Duration)
        /// Sends the bytes repeatedly until the client disconnects.
        case repeatForever([UInt8])
        /// Waits until the client disconnects.
        case stall
    }

    package var steps: [Step]
    /// True if the connection is closed after the last step. The close ends a body without a Content-Length.
    package var closes: Bool

    /// Creates an answer from steps, of which the first sends the head.
    package init(steps: [Step], closes: Bool = true) {
        self.steps = steps
        self.closes = closes
    }

    /// Creates a complete answer with a Content-Length.
    package init(
        status: Int = 200, type: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        var headers = headers
        if let type { headers.append(("Content-Type", type)) }
        if status != 304 { headers.append(("Content-Length", "\(body.count)")) }
        self.init(steps: [.send(Self.head(status: status, headers: headers) + body)], closes: false)
    }

    /// Returns a JSON answer with Content-Type and Content-Length.
    package static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        LoopbackAnswer(
            status: status, type: "application/json; charset=utf-8", headers: headers, body: Array(text.utf8))
    }

    /// Returns a text answer with Content-Type and Content-Length.
    package static func text(
        _ text: String, type: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        LoopbackAnswer(status: status, type: type, headers: headers, body: Array(text.utf8))
    }

    /// Returns a redirect with an empty body.
    package static func redirect(to location: String, status: Int = 302) -> LoopbackAnswer {
        LoopbackAnswer(status: status, headers: [("Location", location)])
    }

    /// Returns an answer with a chunked body.
    package static func chunked(
        _ chunks: [[UInt8]], type: String, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        let head = head(status: 200, headers: headers + [("Content-Type", type), ("Transfer-Encoding", "chunked")])
        let framed = (chunks + [[]]).map { chunk in
            Step.send(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8))
        }
        return LoopbackAnswer(steps: [.send(head)] + framed, closes: false)
    }

    /// Returns an answer that sends a head and then performs the steps. The body ends when the connection closes, unless
    /// the headers have a Content-Length.
    package static func open(
        status: Int = 200, headers: [(name: String, value: String)] = [], then steps: [Step]
    ) -> LoopbackAnswer {
        LoopbackAnswer(steps: [.send(head(status: status, headers: headers))] + steps)
    }

    /// Returns the same answer, sent only after the gate is open.
    package func delayed(until gate: Gate) -> LoopbackAnswer {
        LoopbackAnswer(steps: [.wait(gate)] + steps, closes: closes)
    }

    /// Returns the status line and the headers, with the empty line that ends them.
    package static func head(status: Int, headers: [(name: String, value: String)]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(status < 400 ? "Fine" : "Not Fine")\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

extension LoopbackAnswer: CustomStringConvertible {
    /// The last 100 bytes of the first `send` step, which distinguish the arguments of a test.
    package var description: String {
        let sent = steps.compactMap { step -> [UInt8]? in if case .send(let bytes) = step { bytes } else { nil } }
        return String(decoding: (sent.first ?? []).suffix(100), as: UTF8.self).debugDescription
    }
}
