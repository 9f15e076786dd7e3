import Glibc
import JokesClient
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// Changes of configured sources, and the configuration file that they change.
@Suite struct SourceEditTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route(
            "/a", .json(#"[{"id": 1, "joke": "A duck walks into a bar."}, {"id": 2, "joke": "So does a goose."}]"#))
    }

    private func source(_ name: String, _ more: String = "") -> String {
        """
        { "name": "\(name)", "type": "json", "url": "\(server.url)/a", "allowLocalNetwork": true,
              "safety": "safe",  // trusted
              "map": { "text": "/joke", "id": "/id" }\(more) }
        """
    }

    private func file(_ more: String = "") -> String {
        """
        // Mine.
        {
          "sources": [
            \(source("a")),
            // The second one.
            \(source("b", #", "enabled": false"#))
          ]\(more)
        }

        """
    }

    private func text(_ daemon: DaemonUnderTest) throws -> String {
        String(decoding: try contentsOfFile(daemon.folder.path("config.json"), limit: 1 << 20), as: UTF8.self)
    }

    private func jokes(_ daemon: DaemonUnderTest, of source: String) throws -> Int {
        try daemon.configuredSources().first { $0.name == source }?.jokes.cached ?? -1
    }

    // MARK: Changes

    @Test("enable and disable change one word of the file, and apply at once")
    func enabled() async throws {
        let daemon = try DaemonUnderTest(configuration: file())
        try await waitUntil("a was synced") { try jokes(daemon, of: "a") == 2 }
        let disabled = try daemon.control("source", "disable", "a")
        #expect(disabled.ending == .exited(0) && disabled.output.contains("Source 'a' disabled in "), "\(disabled)")
        #expect(try text(daemon) == file().replacing(source("a"), with: source("a", #", "enabled": false"#)))
        let refused = try daemon.control("refresh", "a")
        #expect(refused.ending == .exited(1))
        #expect(refused.errors == "jokesctl: source 'a' is disabled\nTry: jokesctl source enable a\n")
        #expect(try daemon.json("list", "--source", "a", as: [PrintedJoke].self).count == 2)
        #expect(try daemon.control("source", "disable", "a").output == "Source 'a' was already disabled.\n")
        let change = try daemon.json("source", "enable", "b", as: AnyJSON.self)
        #expect(change["changed"] == .bool(true) && change["name"]?.text == "b")
        try await waitUntil("b was synced") { try jokes(daemon, of: "b") == 2 }
        #expect(try text(daemon).contains(source("b", #", "enabled": true"#)))
        #expect(try daemon.control("source", "enable", "a").ending == .exited(0))
        #expect(try daemon.control("refresh", "a").ending == .exited(0))
    }

    @Test("remove takes the source out of the file, its jokes stay until they are forgotten, and comments stay")
    func remove() async throws {
        let daemon = try DaemonUnderTest(configuration: file())
        try await waitUntil("a was synced") { try jokes(daemon, of: "a") == 2 }
        let removed = try daemon.control("source", "remove", "--yes", "a")
        #expect(
            removed.ending == .exited(0) && removed.output.contains("To remove them: jokesctl forget a"), "\(removed)")
        #expect(try text(daemon) == file().replacing("    \(source("a")),\n", with: ""))
        #expect(try daemon.configuredSources().map(\.name) == ["b"])
        #expect(try daemon.control("forget", "a").output == "2 jokes of 'a' removed.\n")
        #expect(try daemon.control("source", "remove", "--yes", "b").ending == .exited(0))
        #expect(try text(daemon) == "// Mine.\n{\n  \"sources\": [\n    // The second one.\n  ]\n}\n")
    }

    @Test("set changes single keys of a source, keeps its comments, and removes a key that is set to default")
    func set() async throws {
        let daemon = try DaemonUnderTest(configuration: file())
        func set(_ words: String...) throws -> ChildProcess.Result {
            try daemon.control(["source", "set"] + words)
        }
        let changed = try set("a", "--safety", "unknown", "--interval", "12h", "--limit", "5", "--language", "de")
        #expect(changed.ending == .exited(0) && changed.output.contains("Source 'a' changed in "), "\(changed)")
        let entry = try daemon.json("source", "show", "a", as: AnyJSON.self)["entry"]?.text ?? ""
        for part in [
            #""safety": "unknown",  // trusted"#, #""interval": "12h""#, #""limit": 5"#, #""language": "de""#,
        ] {
            #expect(entry.contains(part), "\(entry)")
        }
        #expect(try set("a", "--limit", "5").output == "Source 'a' has these settings already.\n")
        #expect(
            try set("a", "--interval", "default", "--limit", "default", "--language", "default").ending == .exited(0))
        #expect(try set("a", "--safety", "safe").ending == .exited(0))
        #expect(try text(daemon) == file())
        #expect(try set("a", "--header", "X-One: 1", "--header", "X-Two: 2").ending == .exited(0))
        #expect(try set("a", "--header", "x-one: 3").ending == .exited(0))
        #expect(try text(daemon).contains(#""headers": { "X-Two": "2", "x-one": "3" }"#))
        #expect(try daemon.control("refresh", "a").ending == .exited(0))
        #expect(server.requests.last?.header("X-One") == "3")
        #expect(try set("a", "--header", "X-One:", "--header", "X-Two:").ending == .exited(0))
        #expect(try text(daemon) == file())
        for (words, status, reason) in [
            (["a"], Int32(64), "needs an option"), (["a", "--limit", "many"], 64, "a whole number or default"),
            (["a", "--interval", "often"], 1, "expected a duration"), (["a", "--rename", "b"], 1, "such as b-2"),
            (["a", "--rename", "A b"], 64, "invalid name"), (["ab", "--limit", "1"], 1, "no source 'ab' in"),
            (["a", "--titles", "skip"], 1, "does not apply to source type 'json'"),
        ] {
            let refused = try daemon.control(["source", "set"] + words)
            #expect(refused.ending == .exited(status) && refused.errors.contains(reason), "\(refused)")
        }
        #expect(try text(daemon) == file())
    }

    @Test("a renamed source is fetched under its new name, and a removed one is taken up again with its jokes")
    func renamed() async throws {
        let daemon = try DaemonUnderTest(configuration: "{\"sources\": [\(source("a"))]}")
        try await waitUntil("a was synced") { try jokes(daemon, of: "a") == 2 }
        let renamed = try daemon.control("source", "set", "a", "--rename", "ducks")
        #expect(renamed.ending == .exited(0) && renamed.output.contains("jokesctl forget a"), "\(renamed)")
        try await waitUntil("the new name was synced") { try jokes(daemon, of: "ducks") == 2 }
        #expect(try daemon.control("source", "remove", "--yes", "ducks").ending == .exited(0))
        let again = try daemon.control(
            "source", "add", "--yes", "--local-network", "--name", "ducks", "--safety", "safe", "\(server.url)/a")
        #expect(again.ending == .exited(0), "\(again)")
        #expect(try jokes(daemon, of: "ducks") == 2)
    }

    @Test("edits at the same time wait for each other, and none is lost")
    func atOnce() throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let edits = [
            ["a", "--limit", "3"], ["b", "--limit", "4"], ["a", "--language", "fr"], ["b", "--language", "it"],
            ["a", "--interval", "9h"], ["b", "--interval", "8h"],
        ]
        let programs = try edits.map { edit in
            try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "source", "set"] + edit)
        }
        for program in programs { #expect(try program.waitForEnd() == .exited(0), "\(program.errors.text)") }
        let text = try text(daemon)
        for part in [
            #""limit": 3"#, #""limit": 4"#, #""language": "fr""#, #""language": "it""#, #""interval": "9h""#,
            #""interval": "8h""#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test("a test fetches jokes of a source, enabled or not, and stores none")
    func test() async throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let before = server.requests.count
        let tested = try daemon.control("source", "test", "b")
        #expect(tested.ending == .exited(0), "\(tested)")
        for part in [
            "sample        2 jokes read, 2 shown with the filter in use\n", "\n\n  A duck walks into a bar.\n",
        ] {
            #expect(tested.output.contains(part), "\(tested.output)")
        }
        try await waitUntil("the test was sent") { server.requests.count > before }
        #expect(try jokes(daemon, of: "b") == 0)
        let sample = try daemon.json("source", "test", "b", as: AnyJSON.self)
        #expect(sample["jokes"]?.elements.first?["id"]?.text == "b:1")
        server.route("/a", .html("Gone.", status: 410))
        let failed = try daemon.control("source", "test", "b")
        #expect(failed.ending == .exited(1) && failed.errors.contains("/a returned 410"), "\(failed)")
    }

    @Test("a test keeps to the rate of its source, together with its syncs")
    func rate() async throws {
        let limited = source("b", #", "enabled": false, "rate": { "requests": 2, "per": "1h" }"#)
        let daemon = try DaemonUnderTest(configuration: #"{"sources": [\#(limited)]}"#)
        #expect(try daemon.control("source", "test", "b").ending == .exited(0))
        let second = try daemon.control("source", "test", "b")
        #expect(second.ending == .exited(75) && second.errors.contains("Try again in"), "\(second)")
        #expect(server.requests.count == 1)
        // Also after a restart.
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.control("source", "test", "b").ending == .exited(75))
        #expect(server.requests.count == 1)
    }

    @Test("several sources are probed at a time, and a client that leaves ends its request")
    func several() async throws {
        let gate = try Gate()
        server.routeEverythingElse { _ in LoopbackAnswer.json("[]").delayed(until: gate) }
        let daemon = try DaemonUnderTest()
        let arguments = ["--socket", daemon.socket, "source", "add", "--dry-run", "--local-network"]
        let clients = try (0..<4).map { number in
            try ChildProcess(builtProgram("jokesctl"), arguments + ["\(server.url)/held/\(number)"])
        }
        try await server.waitForRequests(4)
        for client in clients { client.signal(SIGKILL) }
        try await server.waitForAbandonedAnswers(4)
    }

    // MARK: The file

    @Test("if the daemon refuses the changed file, it is as before, and the reason is printed")
    func refusedReload() throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let wrong = file(#", "feed": { "size": 0 }"#)
        try daemon.folder.write(wrong, to: "config.json")
        let result = try daemon.control("source", "disable", "a")
        #expect(result.ending == .exited(1), "\(result)")
        #expect(result.errors.contains("the daemon refused the change") && result.errors.contains("feed.size"))
        #expect(result.errors.contains("config.json is as before."))
        #expect(try text(daemon) == wrong)
        #expect(try daemon.configuredSources().map(\.name) == ["a", "b"])
    }

    @Test(
        "a file that cannot be edited stays, and the entry is printed",
        arguments: [("{", "expected a key"), ("[]", "cannot edit"), (#"{"sources": {}}"#, "cannot edit")])
    func notEditable(text: String, reason: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.folder.write(text, to: "config.json")
        let result = try daemon.control("source", "add", "--yes", "--local-network", "\(server.url)/a")
        #expect(result.ending == .exited(1) && result.errors.contains(reason), "\(result)")
        if text != "{" && text != "[]" { #expect(result.output.contains("\"url\": \"\(server.url)/a\"")) }
        #expect(try self.text(daemon) == text)
    }

    @Test("a file without sources gets the built-in ones, so that none is lost")
    func builtInSources() throws {
        // The built-in sources must not be requested.
        let proxy = try LoopbackServer()
        let network = "\"network\": { \"proxy\": \"\(proxy.url)\" }"
        let daemon = try DaemonUnderTest(configuration: "{\n  // Only this.\n  \(network)\n}\n")
        let before = try daemon.configuredSources().map(\.name)
        let result = try daemon.control("source", "disable", "official")
        #expect(result.ending == .exited(0), "\(result)")
        let text = try text(daemon)
        #expect(
            text.hasPrefix("{\n  // Only this.\n  \(network),\n  \"sources\": [\n    {\n      // Name of the source"))
        #expect(try daemon.configuredSources().map(\.name) == before && before.count > 5)
    }

    @Test(
        "without a file, one with the built-in sources and the new one is created where the daemon looks for it",
        .enabled(if: !exists("/etc/jokesd/config.json"), "this machine has a configuration of its own"))
    func newFile() async throws {
        let folder = try TemporaryFolder()
        let manager = try ManagerSocket(folder.path("notify"))
        // The built-in sources must not be requested.
        let proxy = try LoopbackServer()
        let environment = [
            "XDG_CONFIG_HOME": folder.path("home"), "NOTIFY_SOCKET": folder.path("notify"), "https_proxy": proxy.url,
        ]
        let daemon = try ChildProcess(
            builtProgram("jokesd"), ["--state-dir", folder.path("state"), "--socket", folder.path("s")],
            environment: environment)
        try manager.waitFor("READY=1") { daemon.errors.text }
        func control(_ arguments: String...) throws -> ChildProcess.Result {
            try ChildProcess.run(builtProgram("jokesctl"), ["--socket", folder.path("s")] + arguments)
        }
        let path = folder.path("home/jokesd/config.json")
        let dry = try control("source", "add", "--dry-run", "--local-network", "\(server.url)/a")
        #expect(dry.ending == .exited(0) && dry.output.contains(path) && !exists(path), "\(dry)")
        let added = try control("source", "add", "--yes", "--local-network", "--name", "mine", "\(server.url)/a")
        #expect(added.ending == .exited(0) && added.output.contains("added to \(path)"), "\(added)")
        let text = String(decoding: try contentsOfFile(path, limit: 1 << 20), as: UTF8.self)
        #expect(text.hasPrefix("// Configuration of jokesd") && text.contains("// www.blagues-api.fr, with about"))
        #expect(mode(of: path) == 0o644)
        let sources = try control("sources").output
        #expect(sources.contains("official") && sources.contains("mine"))
        #expect(try control("source", "disable", "official").ending == .exited(0))
        #expect(try control("source", "remove", "--yes", "mine").ending == .exited(0))
        let check = try ChildProcess.run(builtProgram("jokesd"), ["--check-config"], environment: environment)
        #expect(check.output == "\(path): valid, 9 sources\n", "\(check)")
    }

    @Test("a file that the user may not write is refused before any request, with the command that may")
    func denied() throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let before = server.requests.count
        chmod(daemon.folder.path, 0o500)
        defer { chmod(daemon.folder.path, 0o700) }
        // Root may write everywhere, unless it has no capabilities.
        let words = getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all"] : ["/usr/bin/env"]
        let command = [builtProgram("jokesctl"), "source", "add", "--yes", "--local-network", "\(server.url)/b"]
        let result = try ChildProcess.run(
            words[0], Array(words.dropFirst()) + command, environment: ["JOKESD_SOCKET": daemon.socket])
        #expect(result.ending == .exited(1) && result.errors.contains("permission denied"), "\(result)")
        let hint = "Try: sudo jokesctl --socket \(daemon.socket) source add --yes --local-network \(server.url)/b"
        #expect(result.errors.contains(hint), "\(result.errors)")
        #expect(!server.requests.dropFirst(before).contains { $0.path == "/b" })
        #expect(try text(daemon) == file())
    }

    @Test("a symbolic link stays, and the file that it leads to is changed")
    func link() throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let target = try daemon.folder.write(file(), to: "mine.json")
        chmod(target, 0o640)
        unlink(daemon.folder.path("config.json"))
        #expect(symlink(target, daemon.folder.path("config.json")) == 0)
        #expect(try daemon.control("source", "disable", "a").ending == .exited(0))
        #expect(try text(daemon) != file())
        #expect(try contentsOfFile(target, limit: 1 << 20) == Array(try text(daemon).utf8))
        #expect(mode(of: target) == 0o640)
    }

    /// The permissions of a file; nil if it does not exist.
    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    // MARK: Reload

    @Test(
        "if the database is locked during a reload, jokesctl says to try later, and the file keeps the change",
        .enabled(if: isSlowTier, "slow tier"))
    func lockedDatabase() async throws {
        let daemon = try DaemonUnderTest(configuration: file())
        try await waitUntil("a was synced") { try jokes(daemon, of: "a") == 2 }
        let lock = try daemon.lockDatabase()
        let removed = try daemon.control("source", "remove", "--yes", "b")
        #expect(removed.ending == .exited(75), "\(removed)")
        #expect(removed.errors.contains("another process holds the lock"), "\(removed.errors)")
        #expect(removed.errors.contains("config.json has the change"), "\(removed.errors)")
        _ = consume lock
        #expect(try text(daemon) != file() && !text(daemon).contains(#""name": "b""#))
        _ = try daemon.connect().call(ReloadMethod.self, NoParameters())
        #expect(try daemon.configuredSources().map(\.name) == ["a"])
    }

    @Test("a client reloads the configuration as a signal does, and gets the reason if it is refused")
    func reload() throws {
        let daemon = try DaemonUnderTest(configuration: file())
        let connection = try daemon.connect()
        let place = try connection.call(ConfigurationMethod.self, NoParameters())
        #expect(place.path == daemon.folder.path("config.json") && place.exists)
        try daemon.folder.write(#"{"sources": []}"#, to: "config.json")
        _ = try connection.call(ReloadMethod.self, NoParameters())
        #expect(try daemon.configuredSources().isEmpty)
        #expect(try connection.call(StatusMethod.self, NoParameters()).sources == 0)
        try daemon.folder.write("{\n\"sources\": 1}", to: "config.json")
        let error = #expect(throws: ClientError.self) { try connection.call(ReloadMethod.self, NoParameters()) }
        guard case .refused(.configurationRefused(let reason, let hint))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("config.json:2: sources: expected a list") && hint?.contains("--check-config") == true)
        #expect(try daemon.control("doctor").output.contains("expected a list"))
        // A signal and a call at the same time: both are answered.
        try daemon.folder.write(file(), to: "config.json")
        daemon.process.signal(SIGHUP)
        _ = try connection.call(ReloadMethod.self, NoParameters())
        #expect(try daemon.configuredSources().map(\.name) == ["a", "b"])
    }
}
