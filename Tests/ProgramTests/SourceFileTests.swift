import JokesCore
import TestSupport
import Testing
import Unix

/// Sources that are files of this machine, lists of feeds, and sources that ask for a login.
@Suite struct SourceFileTests {
    private let folder: TemporaryFolder
    private let daemon: DaemonUnderTest

    init() throws {
        folder = try TemporaryFolder()
        daemon = try DaemonUnderTest(configuration: #"{"sources": []}"#)
    }

    private func jokes(of source: String) throws -> [String] {
        try daemon.json("list", "--source", source, as: [PrintedJoke].self).map(\.setup).sorted()
    }

    // MARK: Files

    /// A file with two jokes, and the same file with a correction of the second one.
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let type: String
        var testDescription: String { name }
    }

    static let files = [
        File(name: "Puns.txt", text: "A goose swims.\n%\nA duck wlaks.\n", type: "fortune"),
        File(name: "list.json", text: #"[{"joke": "A goose swims."}, {"joke": "A duck wlaks."}]"#, type: "json"),
        File(
            name: "keys.json", text: #"{"a1": {"joke": "A goose swims."}, "b2": {"joke": "A duck wlaks."}}"#,
            type: "json"),
        File(name: "texts.json", text: #"{"a1": "A goose swims by.", "b2": "A duck wlaks by."}"#, type: "json"),
        File(
            name: "feed.json",
            text: """
                {"version": "https://jsonfeed.org/version/1.1", "title": "Ducks",
                 "items": [{"id": "1", "content_text": "A goose swims."}, {"id": "2", "content_text": "A duck wlaks."}]}
                """, type: "jsonfeed"),
        File(
            name: "feed.xml",
            text: """
                <rss version="2.0"><channel><title>Ducks</title><item><title>A goose swims.</title></item>
                <item><title>A duck wlaks.</title></item></channel></rss>
                """, type: "rss"),
    ]

    @Test(
        "a joke that is corrected in a file is corrected, a deleted one is gone, and favorites stay", arguments: files)
    func corrected(_ file: File) async throws {
        let path = try folder.write(file.text, to: file.name)
        let name = String(file.name.prefix { $0 != "." }).lowercased()
        let added = try daemon.control("source", "add", "--yes", "--safety", "safe", path)
        #expect(added.ending == .exited(0) && added.output.contains("type          \(file.type)\n"), "\(added)")
        #expect(added.output.contains("\"path\": \"\(path)\"") && added.output.contains("Source '\(name)' added"))
        try await daemon.waitForSyncs()
        let by = file.name == "texts.json" ? " by" : ""
        #expect(try jokes(of: name) == ["A duck wlaks\(by).", "A goose swims\(by)."])
        let goose = try #require(
            try daemon.json("list", "--source", name, as: [PrintedJoke].self).first { $0.setup.contains("goose") })
        #expect(try daemon.control("favorite", goose.id).ending == .exited(0))
        let corrected = file.text.replacing("wlaks", with: "walks").replacing("goose", with: "swan")
        try folder.write(corrected, to: file.name)
        #expect(try daemon.control("refresh", name).ending == .exited(0))
        // The cache is tidied after the sync.
        try await waitUntil("the file and the favorite are listed") {
            try jokes(of: name) == ["A duck walks\(by).", "A goose swims\(by).", "A swan swims\(by)."]
        }
        #expect(try daemon.control("favorites").output.contains("A goose swims"))
    }

    @Test("a folder, a file and a path in the home folder are files, and other files are refused")
    func places() async throws {
        try makeFolder(folder.path("fortunes"), mode: 0o700)
        try folder.write("A duck.\n%\nA goose.\n", to: "fortunes/a b")
        try folder.write("A swan.\n%\nA gull.\n", to: "fortunes/more")
        try folder.write("One long text about ducks.\n", to: "plain")
        try folder.write("<html><body>Ducks</body></html>", to: "page.html")
        let environment = ["HOME": folder.path, "JOKESD_SOCKET": daemon.socket]
        func add(_ words: String...) throws -> ChildProcess.Result {
            try ChildProcess.run(
                builtProgram("jokesctl"), ["source", "add", "--yes", "--safety", "safe"] + words,
                environment: environment)
        }
        for (word, name, count) in [
            (folder.path("fortunes"), "fortunes", 4), ("~/fortunes/more", "more", 2),
            (folder.path("fortunes/a b"), "a-b", 2),
        ] {
            let added = try add(word)
            #expect(added.ending == .exited(0) && added.output.contains("Source '\(name)' added"), "\(added)")
            try await daemon.waitForSyncs()
            let cached = try daemon.configuredSources().first { $0.name == name }?.jokes.cached
            #expect(cached == count, "\(name)")
        }
        for (word, status, reason) in [
            (folder.path("none"), Int32(64), "there is no file"), (folder.path("plain"), 1, "lines with only %"),
            (folder.path("page.html"), 1, "web page"), ("~/none", 64, "there is no file"),
            (folder.path("fortunes"), 1, "source 'fortunes' already has this address"),
        ] {
            let refused = try add(word)
            #expect(refused.ending == .exited(status) && refused.errors.contains(reason), "\(refused)")
        }
    }

    // MARK: Lists of feeds

    @Test("each feed of an OPML file is added once, and the exported list is the same again")
    func opml() throws {
        let list = try folder.write(
            """
            <?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
            <outline text="Fun"><outline type="rss" text="Ducks &amp; Geese" xmlUrl="https://127.0.0.1:9/a?x=1&amp;y=2"/>
              <outline type="rss" title="Ducks again" text="" xmlUrl="https://127.0.0.1:9/a?x=1&amp;y=2"/></outline>
            <outline type="rss" xmlUrl="http://127.0.0.1:9/b" text=""/><outline text="A note"/>
            <outline xmlUrl="feed:https://127.0.0.1:9/b" text="Again"/><outline xmlUrl="https://a b" text="No address"/>
            <outline xmlUrl="https://127.0.0.1:9/feed/@ann" text="Ann"/>
            <outline xmlUrl="https://me:secret@127.0.0.1:9/c" text="Private"/></body></opml>
            """, to: "feeds.opml")
        let dry = try daemon.control("source", "add", "--dry-run", list)
        #expect(dry.output.contains("ducks-geese  https://127.0.0.1:9/a?x=1&y=2\n"), "\(dry)")
        #expect(dry.output.contains("3 new feeds in \(list); 3 left out: "))
        #expect(try daemon.configuredSources().isEmpty)
        #expect(try daemon.control("source", "add", list).ending == .exited(64))
        #expect(try daemon.control("source", "add", "--yes", "--name", "a", list).ending == .exited(64))
        let added = try daemon.control("source", "add", "--yes", list)
        #expect(added.ending == .exited(0) && added.output.contains("3 sources added to "), "\(added)")
        #expect(added.output.contains("jokesctl source set NAME --safety safe"))
        #expect(try daemon.configuredSources().map(\.name) == ["ducks-geese", "feed", "ann"])
        #expect(try daemon.control("source", "add", "--yes", list).output.contains("0 new feeds in"))
        let exported = try daemon.control("export", "--format", "opml").output
        let other = try DaemonUnderTest(configuration: #"{"sources": []}"#)
        let copy = try folder.write(exported, to: "copy.opml")
        #expect(try other.control("source", "add", "--yes", copy).ending == .exited(0))
        #expect(try other.control("export", "--format", "opml").output == exported)
        #expect(exported.contains(#"xmlUrl="https://127.0.0.1:9/a?x=1&amp;y=2""#))
    }

    // MARK: Logins

    @Test("headers and Basic authentication are sent for every type, and their secrets come from files")
    func login() async throws {
        let server = try LoopbackServer()
        let secret = try folder.write("ann:wonder land\n", to: "login")
        let token = try folder.write("t0ken\n", to: "token")
        server.routeEverythingElse { request in
            guard
                request.header("Authorization") == "Basic YW5uOndvbmRlciBsYW5k" || request.header("X-Key") == "k t0ken"
            else { return .json("{}", status: 401) }
            return request.path == "/feed"
                ? .text(
                    "<rss version='2.0'><channel><title>Ann's ducks</title><item><title>A duck.</title></item></channel></rss>",
                    type: "text/xml") : .json(#"[{"joke": "A goose."}, {"joke": "A swan."}]"#)
        }
        func add(_ words: String...) throws -> ChildProcess.Result {
            try daemon.control(["source", "add", "--yes", "--safety", "safe", "--local-network"] + words)
        }
        let feed = try add("--auth", "@file:\(secret)", "\(server.url)/feed")
        #expect(feed.ending == .exited(0) && feed.output.contains("Source 'ann-s-ducks' added"), "\(feed)")
        let list = try add("--header", "X-Key: k @file:\(token)", "--name", "list", "\(server.url)/list")
        #expect(list.ending == .exited(0) && list.output.contains(#""X-Key": "k @file:\#(token)""#), "\(list)")
        try await daemon.waitForSyncs()
        #expect(try jokes(of: "ann-s-ducks") == ["A duck."] && jokes(of: "list") == ["A goose.", "A swan."])
        let inline = try add("--header", "Authorization: Bearer t0ken", "\(server.url)/x")
        #expect(inline.ending == .exited(1) && inline.errors.contains("@file:/path/to/token"), "\(inline)")
        #expect(!inline.errors.contains("t0ken"))
        #expect(try add("--header", "X-Key", "\(server.url)/x").ending == .exited(64))
        for name in ["ann-s-ducks", "list"] {
            let shown = try daemon.control("source", "show", name)
            #expect(shown.ending == .exited(0) && shown.output.contains("@file:\(folder.path)"), "\(shown)")
            #expect(!shown.output.contains("t0ken") && !shown.output.contains("wonder"))
        }
    }
}
