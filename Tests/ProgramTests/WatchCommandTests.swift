import Diffable
import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// `jokesctl watch` with a real daemon.
@Suite struct WatchCommandTests {
    private func watch(_ daemon: DaemonUnderTest, _ options: String...) throws -> ChildProcess {
        try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "watch"] + options)
    }

    /// Waits for the line with this number, from 0, and decodes it.
    private func document(_ number: Int, of watcher: ChildProcess) throws -> AnyJSON {
        try AnyJSON(String(watcher.output.waitForLines(number + 1)[number]))
    }

    /// Refreshes the source as soon as its rate limit allows.
    private func refresh(_ daemon: DaemonUnderTest, until outcome: String) async throws {
        try await waitUntil(outcome) { try daemon.control("refresh", "geese").output.contains(outcome) }
    }

    private func snapshot(of daemon: DaemonUnderTest, view: String) throws -> AnyJSON {
        try VarlinkClient(connectingTo: daemon.socket).call(
            WatchMethod.fullName, AnyJSON.object(["view": try AnyJSON(view)]))
    }

    /// Returns a document of the daemon with its times as jokesctl prints them.
    private func withPrintedTimes(_ document: AnyJSON, _ name: String = "") -> AnyJSON {
        switch document {
        case .object(let members): .object(Dictionary(members.map { ($0, withPrintedTimes($1, $0)) }) { $1 })
        case .array(let elements): .array(elements.map { withPrintedTimes($0) })
        case .int(let number) where ["firstSeen", "favoritedAt", "lastSync"].contains(name):
            .string(Timestamp(microseconds: number / 1_000_000 * 1_000_000).description)
        case .null, .bool, .int, .double, .string: document
        }
    }

    // MARK: JSON

    @Test("each line is a document: first the snapshot of Watch, and then each difference")
    func differences() async throws {
        let daemon = try DaemonUnderTest()
        let watcher = try watch(daemon, "--json", "--limit", "3")
        let first = try document(0, of: watcher)
        #expect(try first == withPrintedTimes(snapshot(of: daemon, view: #"{"size": 3}"#)))
        let id = try daemon.json("list", "--limit", "1", as: [PrintedJoke].self)[0].id
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        let second = try document(1, of: watcher)
        #expect(second["epoch"] == first["epoch"] && second["snapshot"] == nil)
        #expect(second["difference"]?["base"] == first["generation"])
        #expect(
            second["difference"]?["insertedItems"]?.elements.first?["items"]?.elements.first?["id"]
                == .string("favorite/\(id)"))
        #expect(try daemon.control("unfavorite", id).ending == .exited(0))
        let third = try document(2, of: watcher)
        #expect(third["difference"]?["base"] == second["generation"])
        #expect(third["difference"]?["deletedSections"] == .array([.string("favoriteJokes")]))
        #expect(watcher.errors.text.isEmpty)
    }

    @Test("with --json, the pieces of an abandoned snapshot are not in the next one")
    func abandonedPieces() throws {
        func pieces(_ texts: [String]) throws -> [[Wire.FilledSection]] {
            var snapshot = JokeSnapshot()
            snapshot.appendSections([.jokes(JokesHeader(shown: texts.count))])
            try snapshot.appendItems(texts.map { .joke(.single("test:\($0)", $0)) }, toSection: .jokes)
            return Wire.pieces(of: snapshot, bytesEach: 1)
        }
        let (old, new) = (try pieces(["Gone.", "Left."]), try pieces(["New.", "Left."]))
        let method = VarlinkMethod.handle(WatchMethod.name) {
            (call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) in
            for piece in old.dropLast() {
                call.send(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: piece))
            }
            for (number, piece) in new.enumerated() {
                let isLast = number == new.count - 1
                call.send(WatchMethod.Reply(epoch: "a", generation: 2, complete: isLast, snapshot: piece))
            }
            call.onClosed { withExtendedLifetime(call) {} }
        }
        let daemon = try OtherDaemon([method])
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "watch", "--json"])
        let items = try document(0, of: watcher)["snapshot"]?.elements.first?["items"]?.elements
        #expect(items?.map { $0["id"]?.text } == ["joke/test:New.", "joke/test:Left."])
        #expect(old.count > 1)
    }

    // MARK: Text

    @Test("as text, watch prints the current jokes, and then new jokes, favorites and failed sources")
    func text() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write("The first goose.\n%\n", to: "geese")
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file, name: "geese")))
        try await daemon.waitForSyncs()
        let watcher = try watch(daemon, "--limit", "3")
        try watcher.output.waitForLine(with: "The first goose.")
        #expect(watcher.output.lines.count == 3 && watcher.output.lines[2].contains("The first goose."))
        // If a joke is hidden, an older one enters the snapshot, which is not a new joke.
        let goose = try #require(watcher.output.lines[2].split(separator: " ").first.map(String.init))
        #expect(try daemon.control("hide", goose).ending == .exited(0))
        try folder.write("The first goose.\n%\nThe second\ngoose.\n%\nThe third goose.\n", to: "geese")
        try await refresh(daemon, until: "geese: done")
        try watcher.output.waitForLine(with: "The third goose.")
        #expect(watcher.output.lines.count == 5)
        #expect(watcher.output.lines.contains { $0.hasSuffix("  The second goose.") })
        let third = try #require(daemon.json("search", "third", as: [PrintedSearchResult].self).first?.joke.id)
        #expect(try daemon.control("favorite", "--note", "for Ann", third).ending == .exited(0))
        try watcher.output.waitForLine(with: "for Ann")
        #expect(watcher.output.lines[5] == "★ \(third.shortened)  The third goose.")
        #expect(try daemon.control("unfavorite", third).ending == .exited(0))
        try watcher.output.waitForLine(with: "☆ \(third.shortened)")
        unlink(file)
        try await refresh(daemon, until: "geese: failed")
        try watcher.output.waitForLine(with: "geese fails; 'jokesctl sources' shows the reason.")
        #expect(watcher.output.lines.count == 9)
        #expect(watcher.errors.text.isEmpty)
    }

    @Test(
        "no control character from the daemon reaches the output",
        arguments: [
            [], ["--json"], ["--format", "waybar"], ["--format", "i3blocks"],
            ["--format", "{text:line} {id} {source} {categories} {language} {author} {url} {date}"],
        ])
    func hostile(_ options: [String]) async throws {
        let hostile = try OtherDaemon.hostile(["red \u{1B}[31malert\u{7}", "\u{9B}2J\u{202E}back", "bell\u{7F}\u{85}"])
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", hostile.socket, "watch"] + options)
        try watcher.output.waitForLine(with: "alert")
        let harmful = watcher.output.text.unicodeScalars.filter { scalar in
            scalar != "\n" && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
        }
        #expect(harmful.isEmpty, "\(watcher.output.text.debugDescription)")
    }

    // MARK: End and reconnection

    @Test("watch reports an unreachable daemon once, waits for it, and continues with its new snapshot")
    func rejoining() async throws {
        let daemon = try DaemonUnderTest()
        let watcher = try watch(daemon, "--json", "--limit", "1")
        let first = try document(0, of: watcher)
        try daemon.kill()
        try watcher.errors.waitForLine(with: "; waiting for the daemon")
        try daemon.start()
        let second = try document(1, of: watcher)
        #expect(second["snapshot"] != nil && second["epoch"] != first["epoch"])
        let id = try daemon.json("list", "--limit", "1", as: [PrintedJoke].self)[0].id
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        #expect(try document(2, of: watcher)["difference"]?["base"] == second["generation"])
        #expect(watcher.errors.lines.count == 1)
    }

    @Test("watch ends without a message when the reader of its output ends, even without a change")
    func brokenPipe() throws {
        let daemon = try DaemonUnderTest()
        // The shell waits for both programs of the pipe.
        let command = #"{ "$0" --socket "$1" watch; echo "exit code $?" >&2; } | head -n 1 >/dev/null"#
        let result = try ChildProcess.run(
            "/bin/sh", ["-c", command, builtProgram("jokesctl"), daemon.socket], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.ending == .exited(0))
        #expect(result.errors == "exit code 0\n")
    }
}
