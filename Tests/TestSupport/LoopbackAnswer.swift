/// What a `LoopbackServer` does with one request: steps that it takes one after the other.
package struct LoopbackAnswer: Sendable {
    /// One thing that the server does on the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Waits until a test opens the gate, or the client goes away.
        case wait(Gate)
        /// Sends a byte at a time with so much time between them.
        case trickle([UInt8], every: Duration)
        /// Sends the bytes over and over until the client goes away.
        case repeatForever([UInt8])
        /// Waits until the client goes away.
        case stall
    }

    package var steps: [Step]
    /// Whether the connection is closed after the last step, which ends a body of no stated length.
    package var closes: Bool

    /// Steps on the bare connection: the head of the answer is theirs to send.
    package init(steps: [Step], closes: Bool = true) {
        self.steps = steps
        self.closes = closes
    }

    /// A whole answer with its length stated.
    package init(
        status: Int = 200, type: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        var headers = headers
        if let type { headers.append(("Content-Type", type)) }
        if status != 304 { headers.append(("Content-Length", "\(body.count)")) }
        self.init(steps: [.send(Self.head(status: status, headers: headers) + body)], closes: false)
    }

    /// A JSON text with its type and length, as most of the services answer.
    package static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        LoopbackAnswer(
            status: status, type: "application/json; charset=utf-8", headers: headers, body: Array(text.utf8))
    }

    /// Text of any type with its length.
    package static func text(
        _ text: String, type: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        LoopbackAnswer(status: status, type: type, headers: headers, body: Array(text.utf8))
    }

    /// A redirect with an empty body.
    package static func redirect(to location: String, status: Int = 302) -> LoopbackAnswer {
        LoopbackAnswer(status: status, headers: [("Location", location)])
    }

    /// A body in chunks, the end of which the last chunk marks.
    package static func chunked(
        _ chunks: [[UInt8]], type: String, headers: [(name: String, value: String)] = []
    ) -> LoopbackAnswer {
        let head = head(status: 200, headers: headers + [("Content-Type", type), ("Transfer-Encoding", "chunked")])
        let framed = (chunks + [[]]).map { chunk in
            Step.send(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8))
        }
        return LoopbackAnswer(steps: [.send(head)] + framed, closes: false)
    }

    /// The head of an answer and then the steps; nothing but the close of the connection ends the body, unless a
    /// header states its length.
    package static func open(
        status: Int = 200, headers: [(name: String, value: String)] = [], then steps: [Step]
    ) -> LoopbackAnswer {
        LoopbackAnswer(steps: [.send(head(status: status, headers: headers))] + steps)
    }

    /// The same answer, begun only once the gate is open.
    package func held(by gate: Gate) -> LoopbackAnswer {
        LoopbackAnswer(steps: [.wait(gate)] + steps, closes: closes)
    }

    /// The status line and the headers with the empty line that ends them.
    package static func head(status: Int, headers: [(name: String, value: String)]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(status < 400 ? "Fine" : "Not Fine")\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

extension LoopbackAnswer: CustomStringConvertible {
    /// The end of what is sent first, so that a test with an answer for its argument can be told from others.
    package var description: String {
        let sent = steps.compactMap { step -> [UInt8]? in if case .send(let bytes) = step { bytes } else { nil } }
        return String(decoding: (sent.first ?? []).suffix(100), as: UTF8.self).debugDescription
    }
}
