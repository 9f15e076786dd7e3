import FoundationEssentials
import TestSupport
import Testing
import Unix

/// Faults of the upstream, for each type of source in its own format, all with one daemon.
@Suite struct EveryKindFaultTests {
    /// A source, the answer of its upstream, and the expected result.
    private struct Case: Sendable {
        let name: String
        let shape: WireShape
        let answer: @Sendable (_ path: String) -> LoopbackAnswer
        /// Parts of the failure's text, alternatives separated by bars; `nil` for success.
        var failure: String?
        /// The minimum time until the next request, in seconds.
        var retryAfter = 0.0
        /// The number of stored jokes whose text has the name of the case.
        var stored = 0
        var refused = 0
        /// A text that one of the jokes has.
        var text: String?
    }

    /// A faulty answer, and the expected result.
    private struct Fault {
        let name: String
        let answer: LoopbackAnswer
        let failure: String
        var retryAfter = 0.0
    }

    private static func faults(of shape: WireShape) -> [Fault] {
        let date = [("Date", "Fri, 20 Nov 2026 14:01:13 GMT"), ("Retry-After", "Fri, 20 Nov 2026 16:01:13 GMT")]
        func busy(_ status: Int, _ retryAfter: String) -> LoopbackAnswer {
            LoopbackAnswer(status: status, headers: [("Retry-After", retryAfter)])
        }
        let good = shape.answer(shape.jokesPath ?? "", [shape.item(1, "Cut")])
        guard case .send(let whole)? = good.steps.first else { return [] }
        return [
            Fault(name: "error", answer: shape.error.answer, failure: shape.error.reason),
            Fault(name: "html", answer: .html("Hello."), failure: shape.otherType),
            Fault(name: "html-503", answer: .html("Wait.", status: 503), failure: "returned 503"),
            Fault(name: "html-403", answer: .html("No.", status: 403), failure: "returned 403"),
            Fault(name: "500", answer: .json("[]", status: 500), failure: "returned 500"),
            Fault(
                name: "500-retry-after", answer: busy(500, "86400"), failure: "returned 500"),
            Fault(name: "429", answer: LoopbackAnswer(status: 429), failure: "returned 429", retryAfter: shape.window),
            Fault(name: "429-seconds", answer: busy(429, "7200"), failure: "returned 429", retryAfter: 7200),
            Fault(
                name: "429-date", answer: LoopbackAnswer(status: 429, headers: date), failure: "returned 429",
                retryAfter: 7200),
            Fault(name: "429-negative", answer: busy(429, "-5"), failure: "returned 429", retryAfter: shape.window),
            Fault(name: "429-decade", answer: busy(429, "315360000"), failure: "returned 429", retryAfter: 86_400),
            Fault(name: "503-retry-after", answer: busy(503, "3600"), failure: "returned 503", retryAfter: 3600),
            Fault(name: "304", answer: LoopbackAnswer(status: 304), failure: "304"),
            Fault(
                name: "typeless", answer: LoopbackAnswer(),
                failure: "returned no Content-Type|returned no joke count|returned an empty answer"),
            Fault(
                name: "deep", answer: .json(String(repeating: "[", count: 100_000)),
                failure: "malformed JSON|JSON that|application/json"),
            Fault(
                name: "cut", answer: LoopbackAnswer(steps: [.send(Array(whole.dropLast(5)))]),
                failure: "incomplete"),
        ]
    }

    private static func good(_ name: String, _ shape: WireShape) -> [[UInt8]] {
        (1...3).map { shape.item($0, "\(name) tells number \($0)") }
    }

    /// Cases with a faulty answer, either to the first request or to the request for the jokes.
    private static func wrongAnswers(_ shape: WireShape) -> [Case] {
        faults(of: shape).flatMap { fault in
            (shape.jokesPath == nil ? [false] : [false, true]).map { isLate in
                let name = "\(shape.name)-\(fault.name)\(isLate ? "-late" : "")"
                return Case(
                    name: name, shape: shape,
                    answer: { path in
                        let isSpoiled = !isLate || path.hasPrefix(shape.jokesPath ?? "")
                        return isSpoiled ? fault.answer : shape.answer(path, good(name, shape))
                    }, failure: fault.failure, retryAfter: fault.retryAfter)
            }
        }
        // For this source, such an answer is only a malformed item.
        .filter { $0.name != "blagues-deep-late" }
    }

    /// Cases with an answer in which one item is malformed.
    private static func wrongItems(_ shape: WireShape) -> [Case] {
        func spoiled(_ name: String, by value: [UInt8]) -> @Sendable (String) -> LoopbackAnswer {
            var items = good(name, shape)
            items[1] = shape.item(2, value)
            return { [items] in shape.answer($0, items) }
        }
        return shape.spoilers.map { spoiler in
            let name = "\(shape.name)-item-\(spoiler.name)"
            return Case(name: name, shape: shape, answer: spoiled(name, by: spoiler.value), stored: 2, refused: 1)
        }
    }

    private static func cases(of shape: WireShape) -> [Case] {
        let (well, empty, odd) = ("\(shape.name)-well", "\(shape.name)-empty", "\(shape.name)-odd")
        var cases = wrongAnswers(shape) + wrongItems(shape)
        cases.append(Case(name: well, shape: shape, answer: { shape.answer($0, good(well, shape)) }, stored: 3))
        cases.append(Case(name: empty, shape: shape, answer: { shape.answer($0, []) }, failure: shape.emptiness))
        let items = [shape.item(1, "\(odd) \(shape.oddText.written)")] + good(odd, shape).dropFirst()
        cases.append(
            Case(
                name: odd, shape: shape, answer: { shape.answer($0, items) }, stored: 3,
                text: "\(odd) \(shape.oddText.read)"))
        let unreadable = (1...3).map { shape.item($0, shape.spoilers[0].value) }
        cases.append(
            Case(
                name: "\(shape.name)-unreadable", shape: shape, answer: { shape.answer($0, unreadable) },
                failure: shape.nothingReadable))
        return cases
    }

    @Test("each source type reports a fault, delays the next request and stores nothing, and skips a bad item")
    func all() async throws {
        let folder = try TemporaryFolder()
        let all = WireShape.all(token: try folder.write("token", to: "token")).flatMap(Self.cases)
        var random = SplitMix64(seed: testSeed)
        let cases = Array(all.shuffled(using: &random).prefix(scaled(all.count, atLeast: 40)))
        let byName = Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0) })
        let server = try LoopbackServer()
        server.routeEverythingElse { request in
            let name = String(request.path.split(separator: "/").first ?? "")
            return byName[name]?.answer(String(request.path.dropFirst(name.count + 1))) ?? LoopbackAnswer(status: 500)
        }
        // A pause that a server asks for is kept by all its sources, so each source has its own host.
        let sources = cases.map { $0.shape.source($0.name, "http://\($0.name).localhost:\(server.port)") }
            .joined(separator: ",\n")
        let startedAt = PrintedTime.now
        let daemon = try DaemonUnderTest(
            configuration: #"{"sources": [\#(sources)], "filter": {"safe": false}}"#)
        let health = try await daemon.quietSources()
        let jokes: [PrintedJoke] = try daemon.json("list")
        #expect(health.count == cases.count)
        for (item, source) in zip(cases, health) {
            let texts = jokes.filter { $0.id.hasPrefix("\(item.name):") }.flatMap { [$0.setup, $0.punchline ?? ""] }
            expect(item, source, texts, startedAt)
        }
        #expect(try daemon.stop() == .exited(0))
    }

    private func expect(_ item: Case, _ source: PrintedSource, _ texts: [String], _ startedAt: Int64) {
        let words = item.failure?.split(separator: "|")
        #expect(
            words?.contains { source.failure?.contains($0) == true } ?? (source.failure == nil),
            "\(item.name): \(source.failure ?? "no failure")")
        #expect(source.jokes.cached == item.stored, "\(item.name): \(source.jokes) stored")
        #expect(source.refused == item.refused, "\(item.name): \(source.refused) refused")
        #expect(texts.count { $0.contains(item.name) } == item.stored, "\(item.name): \(texts)")
        if let text = item.text { #expect(texts.contains(text), "\(item.name): \(texts)") }
        // The attempt was made between the daemon's start and now. After a failure, the delay has full jitter.
        let backoff = 60 * Double(1 << max(source.failures - 1, 0))
        let (least, most) =
            item.failure == nil ? (0.9 * 7200, 1.1 * 7200) : (item.retryAfter, item.retryAfter + backoff)
        let (first, last) = (Double(startedAt) / 1e6 + least, Double(wallClockMicroseconds()) / 1e6 + most + 1)
        let next = Double(source.nextAttempt?.microseconds ?? 0) / 1e6
        #expect((first...last).contains(next), "\(item.name): next \(next - first) s after the earliest")
        #expect((source.lastSuccess != nil) == (item.failure == nil))
    }
}
