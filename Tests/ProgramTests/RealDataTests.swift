import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Unix

/// The jokes of a real upstream, if a copy is next to the checkout.
@Suite struct RealDataTests {
    private static let catalogue = realData("official-joke-api/jokes.json")
    private static let fortunes: String? = ["games/fortunes", "games/fortune", "fortune"]
        .map { "/usr/share/\($0)/fortunes" }.first { access($0, R_OK) == 0 }

    @Test(
        "446 of 451 real jokes are shown, and a favorite reaches a watcher as a difference",
        .enabled(if: catalogue != nil, Comment(rawValue: realDataSkipReason)),
        .enabled(if: fortunes != nil, "fortunes-min is not installed"))
    func realJokes() async throws {
        let bytes = try contentsOfFile(try #require(Self.catalogue), limit: 10_000_000)
        let entries = try JSONDecoder().decode([OfficialJokeServer.Entry].self, from: Data(bytes))
        #expect(entries.count == 451)
        let server = try OfficialJokeServer(entries)
        let daemon = try DaemonUnderTest(
            configuration: configuration(officialSource(server.url), fortuneSource(try #require(Self.fortunes))))
        try await daemon.waitForSyncs()
        #expect(server.server.requests.count == 2)
        let official: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(official.count == 446 && Set(official.map(\.id)).count == 446)
        let fortunes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes", "--limit", "1")
        #expect(fortunes.count == 1)
        let watcher = try await daemon.watch()
        #expect(try daemon.control("favorite", official[0].id).ending == .exited(0))
        try watcher.output.waitForLine(with: "favorite/\(official[0].id)")
        let lines = try watcher.output.lines.map { try JSONDecoder().decode(PrintedChange.self, from: Data($0.utf8)) }
        #expect(lines.filter { $0.snapshot != nil }.count == 1)
    }
}
