import FoundationEssentials
import Glibc
import JSON
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// A check that jokesctl doctor prints as JSON.
struct PrintedCheck: Decodable {
    var check: String
    var subject: String?
    var state: String
    var message: String
    var advice: String?
}

/// The result of jokesctl doctor.
struct DoctorVisit {
    let ending: ChildProcess.Ending
    let checks: [PrintedCheck]

    init(_ arguments: [String], environment: [String: String] = [:], through words: [String] = []) throws {
        let program = words + [builtProgram("jokesctl")] + arguments + ["doctor", "--json"]
        let result = try ChildProcess.run(program[0], Array(program.dropFirst()), environment: environment)
        ending = result.ending
        try #require(result.errors.isEmpty, "\(result)")
        checks = try JSONDecoder().decode([PrintedCheck].self, from: Data(result.output.utf8))
    }

    /// The first result of this check.
    subscript(_ check: String, of subject: String? = nil) -> PrintedCheck? {
        checks.first { $0.check == check && (subject == nil || $0.subject == subject) }
    }

    var failed: Set<String> {
        Set(checks.filter { $0.state == "failed" }.map(\.check))
    }
}

extension DaemonUnderTest {
    func doctor() throws -> DoctorVisit {
        try DoctorVisit(["--socket", socket])
    }
}

/// jokesctl doctor with a daemon that answers.
@Suite struct DoctorTests {
    private func fails(_ check: PrintedCheck?, _ words: String, advice: String, state: String = "failed") {
        #expect(
            check?.state == state && check?.message.contains(words) == true && check?.advice?.contains(advice) == true,
            "\(String(describing: check))")
    }

    @Test("without a problem, each check is ok, as JSON and as text, and the exit code is 0")
    func well() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("One duck.\n", to: "f")
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
        let visit = try daemon.doctor()
        #expect(visit.ending == .exited(0))
        let looked = Set(visit.checks.map(\.check))
        let own: Set<String> = ["socket", "unit", "time-sync", "daemon", "version"]
        let theirs: Set<String> = [
            "program", "configuration", "database", "storage", "space", "cache", "clock", "clients", "source",
        ]
        #expect(looked == own.union(theirs))
        // The check of the clock depends on this machine.
        #expect(visit.checks.allSatisfy { $0.state == "ok" && $0.advice == nil || $0.check == "time-sync" })
        #expect(visit["database"]?.message.contains("is sound") == true)
        let text = try daemon.control("doctor")
        for check in visit.checks { #expect(text.output.contains(check.check), "\(text.output)") }
        // The names are aligned in one column, and the results in another.
        let lines = text.output.split(separator: "\n").prefix { !$0.contains(" checks: ") }
        #expect(Set(lines.compactMap { $0.hasPrefix("ok") ? $0.prefix(9).count : nil }) == [9])
    }

    @Test("concurrent calls of Diagnose are all answered, and the database thread ends after them")
    func atOnce() async throws {
        let daemon = try DaemonUnderTest()
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { [socket = daemon.socket] in
                    let connection = JokesConnection(to: [socket])
                    return try connection.call(DiagnoseMethod.self, JokesProtocol.NoParameters()).diagnostics.count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 20 && Set(answers).count == 1)
        try await waitUntil("no thread is left over") { try daemon.threadNames() == DaemonUnderTest.ownThreads }
    }

    // MARK: Sources

    @Test("a failed source is reported with a reason and advice, without a request to it")
    func failingSource() async throws {
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in LoopbackAnswer(status: 500) }
        let limited = try LoopbackServer()
        limited.routeEverythingElse { _ in LoopbackAnswer(status: 429, headers: [("Retry-After", "7200")]) }
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                officialSource(server.url), officialSource(limited.url, name: "limited"),
                fortuneSource("/nowhere/jokes", name: "gone"),
                #"{"name": "secret", "type": "blagues-api", "token": "@file:/nowhere/token"}"#))
        _ = try await daemon.quietSources()
        var visit = try daemon.doctor()
        try await waitUntil("a visit falls between two retries") {
            let requests = server.requests.count
            visit = try daemon.doctor()
            return server.requests.count == requests
        }
        #expect(visit.ending == .exited(1))
        fails(visit["source", of: "official"], "500", advice: "jokesctl refresh official", state: "warning")
        fails(visit["source", of: "limited"], "429", advice: "jokesd retries in 2 hours", state: "warning")
        fails(visit["source", of: "gone"], "cannot open /nowhere/jokes", advice: "kill -HUP \(daemon.process.pid)")
        fails(visit["source", of: "secret"], "/nowhere/token", advice: "jokesctl refresh secret", state: "warning")
        #expect(try daemon.control("doctor").output.contains("→ "))
    }

    @Test("if no source on the network can be reached, a single result reports it")
    func offline() async throws {
        let server = try LoopbackServer()
        let url = server.url
        server.stop()
        let daemon = try DaemonUnderTest(
            configuration: configuration(officialSource(url), officialSource(url, name: "other")))
        try await waitUntil("it is offline") { try daemon.json("status", as: PrintedStatus.self).offline }
        let visit = try daemon.doctor()
        #expect(visit.ending == .exited(0))
        fails(
            visit["network"], "no source on the network can be reached", advice: "Check the network", state: "warning")
        #expect(visit["source"] == nil)
    }

    // MARK: Configuration and program

    @Test(
        "a changed or wrong configuration and a refused reload are reported with advice"
    )
    func configurations() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.doctor()["configuration"]?.state == "ok")
        // A file with the same settings is not a change.
        try daemon.folder.write(#"{ "sources": [] /* none */ }"#, to: "config.json")
        #expect(try daemon.doctor()["configuration"]?.state == "ok")
        try daemon.folder.write(configuration(fortuneSource("/nowhere")), to: "config.json")
        let changed = try daemon.doctor()
        fails(
            changed["configuration"], "has changed since", advice: "kill -HUP \(daemon.process.pid)", state: "warning")
        #expect(changed.ending == .exited(0))
        try daemon.folder.write("{\n  sources: [],\n  wrong: 1\n}", to: "config.json")
        let mistaken = try daemon.doctor()
        fails(mistaken["configuration"], "config.json:3: unknown key 'wrong'", advice: "jokesd --check-config")
        fails(
            mistaken["configuration"], "; jokesd still uses the configuration that it read just now", advice: "kill")
        #expect(mistaken.ending == .exited(1))
        try daemon.reload("{\n  sources: [],\n  wrong: 1\n}")
        fails(try daemon.doctor()["configuration"], "config.json:3: unknown key 'wrong'", advice: "kill -HUP")
        let refused = try daemon.control("status").output.split(separator: "\n")
        #expect(
            refused.contains { $0.hasPrefix("configuration refused just now: ") && $0.contains("unknown key 'wrong'") })
        // After a fix, the refused reload is reported until the next reload.
        try daemon.folder.write(configuration(fortuneSource("/nowhere")), to: "config.json")
        fails(
            try daemon.doctor()["configuration"], "last reload failed", advice: "kill -HUP", state: "warning")
        try daemon.reload(configuration(fortuneSource("/nowhere")))
        #expect(try daemon.doctor()["configuration"]?.state == "ok")
        #expect(try !daemon.control("status").output.contains("refused"))
    }

    /// Starts a daemon from a shell in a folder, with `$0` as the program. Its socket is `s` in the folder.
    private func start(
        _ script: String, in folder: TemporaryFolder, configuration name: String = "config.json",
        state: String = "state"
    ) throws -> ChildProcess {
        let manager = try ManagerSocket(folder.path("notify"))
        let config = try folder.write(#"{"sources": []}"#, to: name)
        let daemon = try ChildProcess(
            "/bin/sh",
            [
                "-c", script, builtProgram("jokesd"), "--config", config, "--state-dir", folder.path(state), "--socket",
                folder.path("s"),
            ], environment: ["NOTIFY_SOCKET": folder.path("notify"), "PATH": "/usr/bin:/bin"])
        try manager.waitFor("READY=1") { daemon.errors.text }
        return daemon
    }

    @Test("a program that was replaced after its start is reported with advice")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let copy = folder.path("jokesd")
        let daemon = try start(#"cp "$0" "\#(copy)" && exec "\#(copy)" "$@""#, in: folder)
        try retrying("remove", copy) { unlink(copy) }
        let visit = try DoctorVisit(["--socket", folder.path("s")])
        fails(visit["program"], "replaced or removed", advice: "end process \(daemon.pid)", state: "warning")
    }

    @Test("results contain no control characters, even if file names do")
    func hostileNames() throws {
        let folder = try TemporaryFolder()
        let daemon = try start(
            #"exec "$0" "$@""#, in: folder, configuration: "con\u{1B}]52;c;x\u{7}fig.json", state: "st\u{1B}[2Jate")
        let visit = try DoctorVisit(["--socket", folder.path("s")])
        #expect(visit["configuration"]?.message.contains("config.json, read") == true, "\(visit.checks)")
        #expect(visit["database"]?.message.contains("/state/jokes.sqlite is sound") == true, "\(visit.checks)")
        daemon.signal(SIGTERM)
    }

    @Test("a low limit of descriptors is reported with advice")
    func scarceDescriptors() throws {
        let folder = try TemporaryFolder()
        let daemon = try start(#"ulimit -n 64; exec "$0" "$@""#, in: folder)
        let visit = try DoctorVisit(["--socket", folder.path("s")])
        fails(visit["descriptors"], "allows only", advice: "LimitNOFILE=", state: "warning")
        #expect(visit["clients"]?.state == "ok")
        daemon.signal(SIGTERM)
    }

    // MARK: Other services at the socket

    /// The interface of a daemon without Diagnose.
    private static let older = JokesInterface.description.replacing("method Diagnose(", with: "method Ponder(")

    private static var status: StatusMethod.Reply {
        var status = StatusMethod.Reply(
            version: "0.0.1", epoch: "1", generation: 1, startedAt: Timestamp(microseconds: 1),
            jokes: .init(cached: 3, shown: 2, filteredOut: 1))
        (status.sources, status.storageFailure, status.storageHint) = (1, "the disk is full", "Make room.")
        return status
    }

    private static var source: SourceHealth {
        var source = SourceHealth(
            name: "dad\u{1B}[2J", type: "icanhazdadjoke", enabled: true,
            jokes: .init(cached: 3, shown: 2, filteredOut: 1))
        (source.lastAttempt, source.lastSuccess) = (Timestamp(microseconds: 1), Timestamp(microseconds: 1))
        return source
    }

    @Test("a daemon without the method Diagnose has another version")
    func olderDaemon() throws {
        let other = try OtherDaemon(
            version: "0.0.1", Self.older,
            methods: [
                .answer("Status") { Self.status }, .answer("Sources") { SourcesMethod.Reply(sources: [Self.source]) },
            ])
        let visit = try DoctorVisit(["--socket", other.socket])
        fails(
            visit["version"], "jokesd is 0.0.1", advice: "the same version", state: "warning")
        #expect(visit["storage"] == nil)
    }

    @Test("another service at the socket is reported with its name, and the exit code is 69")
    func anotherService() throws {
        let other = try OtherDaemon(product: "radio", version: "7", "interface org.radio\nmethod Play() -> ()")
        let visit = try DoctorVisit(["--socket", other.socket])
        #expect(visit.ending == .exited(69))
        fails(visit["daemon"], "not jokesd", advice: "radio 7")
        #expect(visit["time-sync"] != nil)
    }

    @Test("results of unknown checks from a newer daemon are printed")
    func newerDaemon() throws {
        let diagnostic = try JSONDocument(
            Array(#"{"check": "moon", "state": "failed", "message": "it is full\u0007"}"#.utf8)
        ).root.decode(Diagnostic.self)
        let other = try OtherDaemon(
            version: "0.0.1", JokesInterface.description,
            methods: [
                .answer("Status") { Self.status },
                .answer("Diagnose") { DiagnoseMethod.Reply(diagnostics: [diagnostic]) },
            ])
        let visit = try DoctorVisit(["--socket", other.socket])
        #expect(visit["moon"]?.state == "failed" && visit.ending == .exited(1))
        fails(visit["version"], "jokesd is 0.0.1", advice: "the same version", state: "warning")
        let text = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", other.socket, "doctor"])
        #expect(text.output.contains("moon") && text.output.contains("it is full\u{FFFD}\n"))
    }
}
