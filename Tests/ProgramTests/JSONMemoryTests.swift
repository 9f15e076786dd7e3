import TestSupport
import Testing

/// What long answers cost the daemon, measured from outside.
@Suite struct JSONMemoryTests {
    /// The most memory, in bytes, that a daemon ever had whose only source answers with the body, and how many jokes it
    /// has from it.
    private func peak(_ body: String, _ kind: String = "json", _ more: String = "") async throws -> (
        bytes: Int, jokes: Int
    ) {
        let server = try LoopbackServer()
        server.route("/jokes", .text(body, type: kind == "rss" ? "application/rss+xml" : "application/json"))
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                #"{ "name": "mine", "type": "\#(kind)", "url": "\#(server.url)/jokes", "allowLocalNetwork": true \#(more)}"#
            ))
        try await daemon.waitForSyncs()
        let sources: [PrintedSource] = try daemon.json("sources")
        return (try daemon.peakMemory() * 1024, try #require(sources.first).jokes)
    }

    /// So many bytes of the piece, and what is around them. By default they are enough to be told from what a daemon
    /// takes anyway, and few enough for a build without optimisation.
    private func filled(_ start: String, _ piece: String, _ end: String, size: Int = 3_000_000) -> String {
        start + String(repeating: piece, count: size / piece.utf8.count) + end
    }

    @Test(
        "an answer costs no more than four times its length, whatever it is made of",
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
            // As many jokes as are taken of one answer.
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
            #expect(most.jokes == 1)
            #expect(grown < 4 * body.utf8.count, "\(kind) \(body.prefix(150)): \(grown / 1000) kB")
        }
    }
}
