import FoundationEssentials
import TestSupport
import Testing
import Unix

/// Malicious and broken upstreams, all with one daemon.
@Suite struct HostileSourcesTests {
    private static let json = [(name: "Content-Type", value: "application/json")]

    /// The behavior of an upstream, and a part of the failure in the source's health.
    private struct Fault {
        let name: String
        let answer: LoopbackAnswer
        let reason: String
    }

    private static var faults: [Fault] {
        let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)
        let gzip = json + [(name: "Content-Encoding", value: "gzip")]
        let bomb = LoopbackAnswer.open(headers: gzip, then: [.send(Gzip.bombStart), .repeatForever(Gzip.moreZeros)])
        let slow = Duration.milliseconds(250)
        return [
            // The upstream would send without end.
            Fault(
                name: "endless", answer: .open(headers: json, then: [.repeatForever(megabyte)]), reason: "longer than"),
            Fault(
                name: "gigabyte",
                answer: .open(headers: json + [("Content-Length", "1073741824")], then: [.repeatForever(megabyte)]),
                reason: "longer than"),
            Fault(
                name: "bomb",
                answer: bomb, reason: "longer than"),
            Fault(
                name: "bomb-again",
                answer: bomb, reason: "longer than"),
            Fault(
                name: "short",
                answer: .open(headers: json + [("Content-Length", "100")], then: [.send(Array("[".utf8))]),
                reason: "incomplete"),
            Fault(
                name: "slow-head",
                answer: LoopbackAnswer(steps: [
                    .trickle(Array("HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 999))".utf8), every: slow)
                ]), reason: "took longer than"),
            Fault(
                name: "slow-body",
                answer: .open(headers: json, then: [.trickle([UInt8](repeating: 0x20, count: 9999), every: slow)]),
                reason: "took longer than"),
            Fault(name: "silent", answer: LoopbackAnswer(steps: [.stall]), reason: "took longer than"),
            Fault(name: "to-file", answer: .redirect(to: "file:///etc/passwd"), reason: "redirect"),
            Fault(name: "loop", answer: .redirect(to: "/jokes/random/1000000"), reason: "more than 3 redirects"),
            Fault(
                name: "multicast", answer: .redirect(to: "http://224.0.0.1/jokes"), reason: "multicast"),
            Fault(name: "html", answer: .text("<html>Hello", type: "text/html"), reason: "no joke count"),
            Fault(name: "nothing", answer: .json("[]"), reason: "returned no jokes"),
            Fault(name: "unasked", answer: LoopbackAnswer(status: 304), reason: "304"),
            Fault(
                name: "deep",
                answer: .json(
                    String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
                reason: "returned no jokes"),
            // An array of values, which take thirty times as much memory after decoding. LongAnswersTests has longer
            // ones.
            Fault(
                name: "many",
                answer: .json("[" + String(repeating: "{},", count: 900_000) + "{}]"), reason: "returned no jokes"),
            Fault(
                name: "many-and-wrong",
                answer: .json("[" + String(repeating: "{},", count: 900_000) + "{}]", status: 500), reason: "500"),
            Fault(
                name: "too-often",
                answer: LoopbackAnswer(
                    status: 429, headers: [("Retry-After", "7200"), ("Date", "Fri, 20 Nov 2026 14:01:13 GMT")]),
                reason: "429"),
            Fault(
                name: "forever",
                answer: LoopbackAnswer(status: 503, headers: [("Retry-After", "315360000")]), reason: "503"),
        ]
    }

    @Test(
        "every fault is refused with its reason, memory stays under 64 MB, and a good source among them is unaffected",
        .enabled(if: isSlowTier, "slow tier"))
    func together() async throws {
        let faults = Self.faults
        var servers: [LoopbackServer] = []
        for fault in faults {
            let server = try LoopbackServer()
            let answer = fault.answer
            server.routeEverythingElse { _ in answer }
            servers.append(server)
        }
        let good = try OfficialJokeServer([.init(setup: "Among thieves?", punchline: "Still here.")])
        let sources =
            zip(faults, servers).map { officialSource($1.url, name: $0.name) } + [
                officialSource(good.url, name: "good")
            ]
        let startedAt = PrintedTime.now
        let daemon = try DaemonUnderTest(
            configuration: """
                {"sources": [\(sources.joined(separator: ", "))], "network": {"timeout": "10s"}}
                """)
        let health = try await daemon.quietSources()
        let passed = Double(wallClockMicroseconds() - startedAt) / 1e6
        for (fault, source) in zip(faults, health) {
            let failure = try #require(source.failure, "\(fault.name) did not fail")
            let isCrowded = failure.contains("too many long responses")
            #expect(
                failure.contains(fault.reason) || (fault.reason == "longer than" && isCrowded),
                "\(fault.name): \(failure)")
            #expect(source.jokes.cached == 0)
            let next = Double(try #require(source.nextAttempt).microseconds - startedAt) / 1e6
            // The last failure may be a moment ago. The delay is at most a minute, doubled after each failure.
            let backoff = 60 * Double(1 << (source.failures - 1))
            switch fault.name {
            case "too-often": #expect((7200...passed + 7260).contains(next), "\(next)")
            case "forever": #expect((86_400...passed + 86_400).contains(next), "\(next)")
            default: #expect((0...passed + backoff).contains(next), "\(fault.name): \(next)")
            }
        }
        #expect(health.last?.jokes.cached == 1 && health.last?.failure == nil)
        let peak = try daemon.peakMemory()
        #expect(peak < 64_000, "\(peak) kB")
        #expect(try daemon.stop() == .exited(0))
    }
}
