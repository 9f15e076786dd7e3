import TestSupport
import Testing

/// The daemon's memory for long answers, measured from outside, and the stored jokes.
@Suite struct LongAnswersTests {
    /// Without optimization, a second goes by for 50,000 items, and other tests run at the same time.
    private static func deadline() -> Deadline { Deadline(after: .seconds(600)) }

    /// Returns the peak memory, in bytes, of a daemon whose only source returns the body, and the number of jokes from
    /// it.
    private func peak(_ body: String, _ kind: String = "json", _ more: String = "") async throws -> (
        bytes: Int, jokes: Int
    ) {
        let server = try LoopbackServer()
        server.route("/jokes", .text(body, type: kind == "rss" ? "application/rss+xml" : "application/json"))
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                #"{ "name": "mine", "type": "\#(kind)", "url": "\#(server.url)/jokes", "allowLocalNetwork": true \#(more)}"#
            ))
        try await daemon.waitForSyncs(Self.deadline())
        let sources = try daemon.configuredSources()
        return (try daemon.peakMemory() * 1024, try #require(sources.first).jokes.cached)
    }

    /// Returns the piece, repeated up to this size, with the start and the end. The default is large enough to stand
    /// out from the daemon's other memory, and small enough for a build without optimization.
    private func filled(_ start: String, _ piece: String, _ end: String, size: Int = 3_000_000) -> String {
        start + String(repeating: piece, count: size / piece.utf8.count) + end
    }

    @Test(
        "an answer needs at most six times its length in memory, with any content",
        .enabled(if: isSlowTier, "slow tier"))
    func bounded() async throws {
        let least = try await peak(#"["A joke?"]"#)
        #expect(least.jokes == 1)
        let item = #"["A joke?",{"t":"Another?","tags":"#
        let map = #", "map": {"text": "/t", "categories": "/tags/*"}, "flags": ["/tags/0"]"#
        let feed = "<rss version=\"2.0\"><channel><item><title>A joke?</title></item><item><title>a b c</title>"
        let answers = [
            (filled("[\"A joke?\"", ",12345", "]"), "json", ""),
            (filled("[\"A joke?\"", ",{\"a\":[1,2,{}]}", "]"), "json", ""),
            // The maximum number of jokes from one answer.
            (filled("[\"A joke?\"", ",\"\\u0000\"", "]", size: 7_900_000), "json", ""),
            (filled(item + "[1", ",1", "]}]"), "json", map),
            (filled(item + "[[\"\"", ",\"\"", "]]}]"), "json", map),
            (filled(item + "[{\"a\":true", ",\"\":true", "}]}]"), "json", map),
            (filled(feed + "<description>", "a ", "</description></item></channel></rss>"), "rss", ""),
            (filled(feed + "<description>", "&amp;", "</description></item></channel></rss>"), "rss", ""),
        ]
        for (body, kind, more) in answers {
            let most = try await peak(body, kind, more)
            let grown = most.bytes - least.bytes
            // Tags of another shape do not cost the joke.
            #expect(most.jokes == (more.isEmpty ? 1 : 2))
            #expect(grown < 6 * body.utf8.count, "\(kind) \(body.prefix(150)): \(grown / 1000) kB")
        }
    }

    private struct PrintedDetails: Decodable {
        var missingSince: PrintedTime?
    }

    /// Starts a daemon with sources of these types, each with its own answer.
    private func daemon(_ answers: [(type: String, body: String)], _ server: LoopbackServer) throws -> DaemonUnderTest {
        let sources = answers.enumerated().map { number, answer in
            let media = answer.type == "rss" ? "application/rss+xml" : "application/json"
            server.route("/\(number)", .text(answer.body, type: media))
            let map = answer.type == "json" ? #", "map": {"id": ["/id"], "text": ["/joke"]}"# : ""
            return #"{"name": "long\#(number)", "type": "\#(answer.type)", "url": "\#(server.url)/\#(number)", "#
                + #""safety": "safe", "allowLocalNetwork": true\#(map)}"#
        }
        return try DaemonUnderTest(configuration: configuration(sources.joined(separator: ", ")))
    }

    private func list(_ count: Int, _ item: (Int) -> String) -> String {
        "[\((0..<count).map(item).joined(separator: ","))]"
    }

    @Test(
        "several long answers at once are stored completely, and memory stays under 64 MB",
        .enabled(if: isSlowTier, "slow tier"))
    func together() async throws {
        let padding = String(repeating: " ", count: 400)
        let feed = #"{"version": "https://jsonfeed.org/version/1.1", "items": "#
        let answers = [
            (type: "json", body: list(6_000) { #"{"id":\#($0),"joke":"duck \#($0)"\#(padding)}"# }),
            (type: "json", body: list(10_000) { #""goose \#($0)"\#(padding)"# }),
            (type: "json", body: list(1_000_000) { _ in #""a""# }),
            (
                type: "jsonfeed",
                body: feed + list(5_000) { #"{"id":"\#($0)","content_text":"swan \#($0)"\#(padding)}"# } + "}"
            ),
        ]
        let server = try LoopbackServer()
        let daemon = try daemon(answers + answers, server)
        try await daemon.waitForSyncs(Self.deadline())
        let sources = try daemon.configuredSources()
        #expect(sources.map(\.failure) == Array(repeating: nil, count: 8))
        // All jokes of the third list are the same joke.
        #expect(sources.map(\.jokes.cached) == [6_000, 10_000, 1, 5_000, 6_000, 10_000, 1, 5_000])
        let peak = try daemon.peakMemory()
        #expect(peak < 64_000, "\(peak) kB")
        #expect(server.requests.count == 8)
    }

    @Test("an answer of several slices is one full sync: jokes that the next answer lacks are marked missing")
    func slices() async throws {
        let server = try LoopbackServer()
        let daemon = try daemon([(type: "json", body: list(2_500) { #"{"id":\#($0),"joke":"duck \#($0)"}"# })], server)
        try await daemon.waitForSyncs()
        var sources = try daemon.configuredSources()
        #expect(sources.first?.jokes.cached == 2_500 && sources.first?.new == 2_500)
        let shorter = list(1_200) { #"{"id":\#($0),"joke":"duck \#($0)"}"# }
        server.route("/0", .text(shorter, type: "application/json"))
        #expect(try daemon.control("refresh", "long0").ending == .exited(0))
        sources = try daemon.json("sources")
        #expect(sources.first?.failure == nil && sources.first?.new == 0)
        func missingSince(_ id: String) throws -> PrintedTime? {
            try daemon.json("show", id, as: PrintedDetails.self).missingSince
        }
        #expect(try missingSince("long0:1199") == nil)
        #expect(try missingSince("long0:1200") != nil && missingSince("long0:2499") != nil)
    }
}
