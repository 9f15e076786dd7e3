import FoundationEssentials
import TestSupport
import Testing
import Unix

/// The progress of a sync as text and JSON.
@Suite struct RefreshProgressTests {
    /// A fortune file with enough jokes for several batches.
    private func fortunes(_ count: Int, in folder: TemporaryFolder) throws -> String {
        let jokes = (0..<count).map { number in
            "Test joke number \(number) has a long way to go, as all of them \(String(repeating: "ha", count: 60)).\n%\n"
        }
        return try folder.write(jokes.joined(), to: "fortunes")
    }

    private struct Line: Decodable {
        struct Report: Decodable {
            var seen: Int
            var new: Int
            var duplicates: Int
            var elapsedMs: Int
        }

        var name: String
        var state: String
        var report: Report?
    }

    @Test("refresh --json prints a line for each step, and the last line has the whole result")
    func json() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("One to begin with.\n%\n", to: "fortunes")
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
        _ = try fortunes(4000, in: folder)
        var result = try daemon.control("--json", "refresh")
        while result.output.contains("tooSoon") { result = try daemon.control("--json", "refresh") }
        let lines = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.first?.state == "started" && lines.last?.state == "succeeded")
        let reports = lines.compactMap(\.report)
        #expect(reports.count == lines.count - 1 && reports.count > 1)
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.seen <= $1.seen && $0.elapsedMs <= $1.elapsedMs })
        #expect(reports.last?.seen == 4000 && reports.last?.new == 4000)
    }

    @Test("refresh --force fetches a source without the validators of its last answer")
    func force() async throws {
        let server = try LoopbackServer()
        let feed =
            #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "content_text": "A duck."}]}"#
        server.route("/", .text(feed, type: "application/json", headers: [("ETag", "\"1\"")]))
        let daemon = try DaemonUnderTest(
            configuration:
                #"{"sources": [{"name": "f", "type": "jsonfeed", "url": "\#(server.url)/", "allowLocalNetwork": true}]}"#
        )
        try await daemon.waitForSyncs()
        for arguments in [["refresh"], ["refresh", "--force"]] {
            #expect(try daemon.control(arguments).ending == .exited(0))
        }
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"1\"", nil])
    }

    @Test("on a terminal, refresh and --once update their lines, and one line for each source stays")
    func terminal() async throws {
        let folder = try TemporaryFolder()
        let file = try fortunes(4000, in: folder)
        let config = try folder.write(
            configuration(fortuneSource(file), fortuneSource(file, name: "again")), to: "config.json")
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let process = try ChildProcess(
            builtProgram("jokesd"), ["--config", config, "--state-dir", folder.path("state"), "--once"],
            environment: ["TERM": "xterm"], terminal: terminal)
        var screen = TerminalScreen(.xterm, columns: 80, rows: 24)
        var bytes: [UInt8] = []
        // The program waits for its reader. After this line, only little output follows.
        while screen.text.ranges(of: "of 4000, ").count < 2 {
            let more = try terminal.read()
            bytes += more
            screen.process(more)
        }
        #expect(try process.waitForEnd() == .exited(0))
        // Marks the end of the output.
        try writeFully("$ \n", to: terminal.terminal)
        let rest = try terminal.read(until: "$ \r\n")
        screen.process(Array(rest.utf8))
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[J"), "no line was rewritten")
        let lines = screen.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines.last == "$", "\(screen.text)")
        #expect(lines.contains { $0.hasPrefix("fortunes: ") } && lines.contains { $0.hasPrefix("again: ") })
        #expect(screen.unexpectedOutput.isEmpty)
    }
}
