import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// `jokesctl source`: sources that are added, tested and changed from the command line.
@Suite struct SourceCommandTests {
    private static let file = """
        // My configuration.
        {
          "sources": [
            // none yet
          ],
          "filter": { "safe": true }, // for children
        }

        """

    private let server: LoopbackServer
    private let daemon: DaemonUnderTest

    init() throws {
        server = try LoopbackServer()
        daemon = try DaemonUnderTest(configuration: Self.file)
    }

    private func text() throws -> String {
        String(decoding: try contentsOfFile(daemon.folder.path("config.json"), limit: 1 << 20), as: UTF8.self)
    }

    private func add(_ arguments: String...) throws -> ChildProcess.Result {
        try daemon.control(["source", "add", "--local-network"] + arguments)
    }

    // MARK: Every type

    /// An answer of a server, and the jokes of the source that it becomes.
    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: LoopbackAnswer
        let type: String
        let jokes: [String]
        var testDescription: String { name }
    }

    private static let item = #"{"id": "1", "title": "Why did the duck stop here?", "content_text": "Its feet hurt."}"#

    static let answers = [
        Answer(
            name: "json-feed",
            answer: .text(
                #"{"version": "https://jsonfeed.org/version/1", "items": [\#(item)]}"#, type: "application/feed+json"),
            type: "jsonfeed", jokes: ["Why did the duck stop here?"]),
        Answer(
            name: "rss",
            answer: .text(
                "<rss version='2.0'><channel><item><title>A goose.</title></item></channel></rss>", type: "text/xml"),
            type: "rss", jokes: ["A goose."]),
        Answer(
            name: "list",
            answer: .json(
                """
                {"meta": {"total": 2}, "data": [{"id": 1, "body": {"joke": "Two ducks walk."}},
                                                {"id": 2, "body": {"joke": "Three ducks walk."}}]}
                """), type: "json", jokes: ["Three ducks walk.", "Two ducks walk."]),
        Answer(
            name: "lines",
            answer: .text(
                #"{"joke": "One duck.", "tags": []}\#n{"joke": "Two ducks.", "tags": [{}]}"#,
                type: "application/x-ndjson"),
            type: "json", jokes: ["One duck.", "Two ducks."]),
    ]

    @Test("a source of each type is recognized, shown, written next to the comments, and synced", arguments: answers)
    func everyType(_ row: Answer) async throws {
        server.route("/jokes", row.answer)
        let result = try add("--yes", "--safety", "safe", "--name", row.name, "\(server.url)/jokes")
        #expect(result.ending == .exited(0), "\(result.errors)")
        #expect(result.output.contains("type          \(row.type)\n") && result.output.contains(row.jokes[0]))
        #expect(result.output.contains("Source '\(row.name)' added to \(daemon.folder.path("config.json"))."))
        let text = try text()
        for part in [
            "// My configuration.\n{", "    // none yet\n    {\n      \"name\": \"\(row.name)\",\n", "// for children",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", row.name)
        #expect(jokes.map(\.setup).sorted() == row.jokes)
        // The entry that was shown is the one in the file.
        #expect(result.output.contains("  \"url\": \"\(server.url)/jokes\""))
    }

    @Test("the first of several pages is recognized, its entry has a placeholder, and a sync reads all pages")
    func pages() async throws {
        server.routeEverythingElse { request in
            let page = request.query["page"] ?? ""
            return .json(
                #"{"data": {"jokes": [{"joke": "Duck \#(page).1"}, {"joke": "Duck \#(page).2"}], "total": 6, "pages": 3}}"#
            )
        }
        let result = try add("--yes", "--safety", "safe", "--name", "pages", "\(server.url)/jokes?page=2&size=2")
        #expect(result.ending == .exited(0) && result.output.contains("one page of several"), "\(result)")
        #expect(result.output.contains("\"url\": \"\(server.url)/jokes?page={page}&size=2\""))
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "pages")
        #expect(jokes.map(\.setup).sorted() == (1...3).flatMap { ["Duck \($0).1", "Duck \($0).2"] })
    }

    // MARK: Refusals

    @Test(
        "an answer that is no source is refused with its reason, and the file stays",
        arguments: [
            (LoopbackAnswer.html("Jokes!"), "returned a web page (HTML), not a feed"),
            (.text(#"<html><link type="application/rss+xml" href="/f">"#, type: "text/html"), "/f'"),
            (.text("\u{1B}[31mgarbage \u{202E}", type: "application/octet-stream"), "not a feed"),
            (.text("", type: "application/json"), "returned an empty answer"), (.json("{"), "malformed JSON"),
            (.json(#"{"message": "Not found"}"#, status: 404), "returned 404: Not found"),
            (.json(#"[{"joke": " "}, {"joke": ""}]"#), "none of the 2 items received is a joke"),
        ])
    func refused(answer: LoopbackAnswer, reason: String) throws {
        server.route("/jokes", answer)
        let result = try add("--yes", "\(server.url)/jokes")
        #expect(result.ending == .exited(1), "\(result)")
        #expect(
            result.errors.hasPrefix("jokesctl: cannot read the source: ") && result.errors.contains(reason),
            "\(result.errors)")
        #expect(result.errors.unicodeScalars.allSatisfy { $0 == "\n" || !(0..<0x20).contains($0.value) })
        #expect(try text() == Self.file)
    }

    @Test("a redirect to the local network is refused, and a local server needs the option")
    func local() throws {
        let other = try LoopbackServer()
        other.route("/jokes", .json(#"["A duck walks into a bar."]"#))
        server.route("/jokes", .redirect(to: "\(other.url)/jokes"))
        let redirected = try add("--yes", "\(server.url)/jokes")
        #expect(redirected.ending == .exited(1) && redirected.errors.contains("redirect to \(other.url)/jokes refused"))
        let denied = try daemon.control("source", "add", "--yes", "\(other.url)/jokes")
        #expect(denied.ending == .exited(1) && denied.errors.contains("--local-network"), "\(denied)")
        let hidden = try daemon.control("source", "add", "--yes", "https://127.0.0.1:\(other.port)/jokes")
        #expect(hidden.ending == .exited(1) && hidden.errors.contains("--local-network"), "\(hidden)")
        #expect(other.requests.isEmpty && server.requests.count == 1)
        #expect(try text() == Self.file)
    }

    @Test("a server that cannot be reached, and one that asks for a pause, are named with the next step")
    func unavailable() throws {
        let gone = try LoopbackServer()
        gone.stop()
        let unreachable = try add("--yes", "\(gone.url)/jokes")
        #expect(unreachable.ending == .exited(1) && unreachable.errors.contains("Check the address"), "\(unreachable)")
        server.route("/jokes", LoopbackAnswer(status: 429, headers: [("Retry-After", "60")]))
        let busy = try add("--yes", "\(server.url)/jokes")
        #expect(busy.ending == .exited(1) && busy.errors.contains("Try again in 60 seconds."), "\(busy)")
        let waiting = try add("--yes", "\(server.url)/jokes")
        #expect(
            waiting.ending == .exited(75)
                && waiting.errors.contains("127.0.0.1:\(server.port) asked to wait 60 seconds"),
            "\(waiting)")
        #expect(server.requests.count == 1)
    }

    @Test("a wrong command line is refused before a request, and unknown words list the services")
    func usage() throws {
        server.route("/jokes", .json(#"["A duck walks into a bar."]"#))
        let url = "\(server.url)/jokes"
        let rows: [([String], Int32, String)] = [
            (["add", url], 64, "--yes"), (["remove", "a"], 64, "--yes"),
            (["add", "deno-joke"], 64, "Did you mean 'deno-jokes'?"),
            (["add", "example.org/feed"], 64, "Did you mean 'https://example.org/feed'?"),
            (["add", "xyzzy"], 64, "geek-jokes"),
            (["add", "--yes", "--name", "A b", url], 64, "invalid name 'A b'"),
            (["add", "--yes", "--safety", "sure", url], 64, "safe, unsafe or unknown"),
            ([], 64, "jokesctl help source"),
            (["ad"], 64, "Did you mean 'source add'?"), (["add", url, url], 64, "unexpected argument"),
            (["test"], 64, "jokesctl sources"), (["test", "a"], 1, "unknown source 'a'"),
            (["enable", "a"], 1, "no source 'a' in"),
            (["disable", "starter"], 1, "source 'starter' comes with jokesd, so it is not in the configuration"),
        ]
        for (arguments, status, words) in rows {
            let result = try daemon.control(["source"] + arguments)
            #expect(result.ending == .exited(status) && result.errors.contains(words), "\(arguments): \(result)")
        }
        #expect(server.requests.isEmpty)
        let presets = try daemon.control("source", "add")
        #expect(presets.ending == .exited(0) && presets.output.contains("deno-jokes") && presets.errors.isEmpty)
        for help in [
            ["source", "--help"], ["source", "add", "--help"], ["help", "source"], ["help", "source", "add"],
        ] {
            let result = try daemon.control(help)
            #expect(result.ending == .exited(0) && result.output.hasPrefix("Usage: jokesctl source"), "\(help)")
        }
        #expect(try daemon.control("--json", "source", "--json", "add").output.hasPrefix("["))
    }

    @Test("a name that exists is refused with a free one, and a name from the URL gets a number")
    func names() throws {
        server.routeEverythingElse { _ in .json(#"["A duck walks into a bar.", "A goose walks into a bar."]"#) }
        let url = "\(server.url)/jokes"
        #expect(try add("--yes", url).output.contains("Source 'source' added"))
        let again = try add("--yes", "--name", "source", url)
        #expect(again.ending == .exited(1) && again.errors.contains("such as source-2"), "\(again)")
        let same = try add("--yes", url)
        #expect(
            same.ending == .exited(1) && same.errors.contains("source 'source' already has this address"), "\(same)")
        #expect(same.errors.contains("jokesctl source set source"))
        #expect(try add("--yes", "\(url)?2").output.contains("Source 'source-2' added"))
        let dry = try daemon.json("source", "add", "--local-network", "--dry-run", "\(url)?3", as: AnyJSON.self)
        #expect(dry["name"]?.text == "source-3" && dry["added"] == .bool(false))
        #expect(dry["sample"]?["jokes"]?.elements.count == 2)
        #expect(try daemon.configuredSources().map(\.name) == ["source", "source-2"])
    }

    @Test("hostile texts and names of a server reach no terminal and no file")
    func hostile() throws {
        server.route(
            "/jokes",
            .json(
                #"""
                [{"joke": "A \u001b[31mred\u202e duck\u0007 walks in.", "\u001b]0;id": 1, "\u202eid": 2, "tags": ["\u009b2J"]},
                 {"joke": "A goose \ud83d walks out.", "\u001b]0;id": 3, "\u202eid": 4, "tags": []}]
                """#))
        let result = try add("--yes", "\(server.url)/jokes")
        #expect(result.ending == .exited(0) && result.output.contains("duck"), "\(result)")
        for text in [result.output, result.errors, try text()] {
            let control = text.unicodeScalars.first { scalar in
                scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
            }
            #expect(control == nil, "\(text.debugDescription)")
        }
    }

    // MARK: Questions

    @Test("on a terminal, the file changes only after yes")
    func question() throws {
        server.route("/jokes", .json(#"["A duck walks into a bar."]"#))
        for (answer, ending) in [("n", ChildProcess.Ending.exited(1)), ("", .exited(1)), ("y", .exited(0))] {
            let terminal = try ControlTerminal(
                daemon,
                ["--no-pager", "source", "add", "--local-network", "--name", "ducks", "\(server.url)/jokes"],
                rows: 60)
            // The jokes are unrated.
            try terminal.wait("the first question") { $0.contains("Show these without a rating? [y/N]") }
            #expect(terminal.text.contains("A duck walks into a bar."))
            try terminal.type("\(answer)\n")
            try terminal.wait("the question") { $0.contains("Add this source? [y/N]") }
            #expect(terminal.text.contains(#""safety": "safe""#) == (answer == "y"))
            #expect(try text() == Self.file)
            try terminal.type("\(answer)\n")
            try terminal.waitForEnd(ending)
        }
        #expect(try text().contains("\"name\": \"ducks\""))
        let before = try text()
        let removal = try ControlTerminal(daemon, ["source", "remove", "ducks"])
        try removal.wait("the question") { $0.contains("[y/N]") }
        // What an editor has saved during the question stays.
        try daemon.folder.write(before + "// changed meanwhile\n", to: "config.json")
        try removal.type("yes\n")
        try removal.waitForEnd()
        #expect(try text() == Self.file + "// changed meanwhile\n")
    }
}
