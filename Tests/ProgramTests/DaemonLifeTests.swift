import Glibc
import TestSupport
import Testing
import Unix

/// Starts, reloads and stops of the daemon, and refused starts.
@Suite struct DaemonLifeTests {
    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesd"), arguments, environment: environment)
    }

    @Test("a second daemon on the same state folder is refused, and the message names the process that uses it")
    func secondDaemon() throws {
        let daemon = try DaemonUnderTest()
        let second = try run(["--state-dir", daemon.state, "--socket", daemon.folder.path("t")])
        #expect(second.ending == .exited(75))
        #expect(second.errors.contains("in use by process \(daemon.process.pid)"))
        #expect(second.errors.contains("To start a second one: jokesd --state-dir DIR --socket PATH"))
        let once = try run(["--state-dir", daemon.state, "--once"])
        #expect(once.ending == .exited(75))
        #expect(once.errors.contains("To sync with the running daemon: jokesctl refresh"))
    }

    @Test("a second daemon on the same socket is refused, and the first one stays reachable")
    func secondSocket() throws {
        let daemon = try DaemonUnderTest()
        let second = try run([
            "--state-dir", daemon.folder.path("other"), "--socket", daemon.socket, "--config",
            daemon.folder.path("config.json"),
        ])
        #expect(second.ending == .exited(69))
        #expect(second.errors.contains("Is jokesd already running? Try: jokesctl --socket \(daemon.socket) status"))
        #expect(try daemon.control("status").ending == .exited(0))
    }

    /// Runs the daemon on a state folder. The process may not use root's right to read every file.
    private func start(_ folder: TemporaryFolder, state: String) throws -> ChildProcess.Result {
        let words = [
            builtProgram("jokesd"), "--config", try folder.write(#"{"sources": []}"#, to: "config.json"),
            "--state-dir", state, "--socket", folder.path("s"),
        ]
        if getuid() != 0 { return try ChildProcess.run(words[0], Array(words.dropFirst())) }
        let dropped = ["--bounding-set", "-dac_override,-dac_read_search"]
        return try ChildProcess.run("/usr/bin/setpriv", dropped + words)
    }

    @Test(
        "a FIFO or folder in place of the journal or a database file is refused with a reason and exit code 74",
        arguments: ["jokes.sqlite", "jokes.sqlite-wal", "jokes.sqlite-shm", "jokes.sqlite-journal", "favorites.jsonl"])
    func notAFile(_ name: String) throws {
        let folder = try TemporaryFolder()
        for (kind, make, reason) in [
            ("fifo", { mkfifo($0, 0o600) }, "not a regular file"), ("folder", { mkdir($0, 0o700) }, "is a directory"),
        ] as [(String, (String) -> Int32, String)] {
            let state = folder.path(kind)
            #expect(mkdir(state, 0o700) == 0 && make("\(state)/\(name)") == 0)
            let result = try start(folder, state: state)
            #expect(result.ending == .exited(74))
            let sentence = "cannot open the database: cannot read \(state)/\(name): \(reason)\n"
            #expect(result.errors.contains(sentence) && result.errors.contains("--state-dir DIR"), "\(result.errors)")
        }
    }

    @Test("a database that the user of the daemon may not read is refused with the reason and exit code 74")
    func unreadableDatabase() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.stop() == .exited(0))
        #expect(chmod("\(daemon.state)/jokes.sqlite", 0) == 0)
        let result = try start(daemon.folder, state: daemon.state)
        #expect(result.ending == .exited(74))
        #expect(result.errors.contains("/jokes.sqlite: permission denied"), "\(result.errors)")
    }

    @Test("a configuration is read from a pipe, but not from a FIFO, which might never get a writer")
    func configurationPipe() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let refused = try run(["--check-config", "--config", fifo])
        #expect(refused.ending == .exited(78))
        #expect(refused.errors.contains("cannot read \(fifo): not a regular file"), "\(refused.errors)")
        let words = #"echo '{"sources": []}' | "$0" --check-config --config /dev/stdin"#
        let piped = try ChildProcess.run("/bin/sh", ["-c", words, builtProgram("jokesd")])
        #expect(piped.ending == .exited(0) && piped.output.contains("valid, 0 sources"), "\(piped)")
    }

    @Test(
        "SIGTERM ends the daemon with exit code 0 and removes the socket, even during a sync",
        arguments: [SIGTERM, SIGINT])
    func termination(signal: Int32) throws {
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in LoopbackAnswer(steps: [.stall]) }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        daemon.process.signal(signal)
        #expect(try daemon.process.waitForEnd() == .exited(0))
        #expect(access(daemon.socket, F_OK) != 0)
    }

    @Test("the status in systemd has the number of jokes, the time of the next sync and the failing sources")
    func status() throws {
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource("/nowhere/jokes", name: "gone")))
        let line = try daemon.manager.first("STATUS=… 1 source failing") {
            $0.hasPrefix("STATUS=") && $0.contains("failing")
        } _: {
            daemon.process.errors.text
        }
        let parts = line.split(separator: ", ")
        #expect(parts.first?.hasSuffix(" jokes") == true && parts.last == "1 source failing: gone", "\(line)")
        #expect(parts.contains { $0.hasPrefix("next sync ") && $0.contains(":") }, "\(line)")
    }

    @Test("a source is synced at its interval, also if it is the only one or has failed")
    func schedule() async throws {
        let server = try OfficialJokeServer([.init(setup: "Again?", punchline: "Again.")])
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url, interval: "1s")))
        try await waitUntil("four requests arrived") {
            server.server.requests.count >= 4
        }
        #expect(try daemon.stop() == .exited(0))
    }

    @Test("a stop during a sync is not recorded as a failure of the source")
    func stopIsNoFailure() async throws {
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in LoopbackAnswer(steps: [.stall]) }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await waitUntil("the source is requested") { !server.requests.isEmpty }
        #expect(try daemon.stop() == .exited(0))
        #expect(!daemon.process.errors.text.contains("canceled"))
        try daemon.start()
        let sources = try daemon.configuredSources()
        #expect(sources.map(\.failingSince) == [nil] && sources.map(\.failure) == [nil])
    }

    @Test("SIGHUP loads a new configuration; an invalid one is reported with its line, and the old one stays")
    func reload() async throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("Fortune favors the tested.\n%\n", to: "fortunes")
        try daemon.reload(configuration(fortuneSource(file)))
        let sources = try daemon.configuredSources()
        #expect(sources.map(\.name) == ["fortunes"])
        try daemon.folder.write("{\n  sources: [],\n  wrong: 1\n}", to: "config.json")
        daemon.process.signal(SIGHUP)
        let status = try daemon.manager.first("why it was refused") {
            $0.hasPrefix("STATUS=") && $0.contains("last reload failed: ")
        } _: {
            daemon.process.errors.text
        }
        #expect(status.contains("config.json:3: unknown key 'wrong'"), "\(status)")
        try daemon.process.errors.waitFor("config.json:3: unknown key 'wrong'")
        let still = try daemon.configuredSources()
        #expect(still.map(\.name) == ["fortunes"])
        #expect(try daemon.stop() == .exited(0))
    }

    @Test(
        "a reload with a bad configuration during the start waits until clients can connect",
        .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
    func reloadDuringStart() throws {
        let folder = try TemporaryFolder()
        let manager = try ManagerSocket(folder.path("notify"))
        // The signal is pending from before the start. The pipe has the configuration only once, so a reload reads
        // none.
        let script = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
            os.kill(os.getpid(), signal.SIGHUP)
            reading, writing = os.pipe()
            os.write(writing, b'{"sources": []}')
            os.close(writing)
            os.dup2(reading, 0)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let daemon = try ChildProcess(
            try #require(SystemPython.path),
            [
                "-c", script, builtProgram("jokesd"), "--config", "/dev/stdin", "--state-dir", folder.path("state"),
                "--socket", folder.path("s"),
            ],
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
        let first = try manager.first("READY=1") {
            $0 == "READY=1" || $0 == "RELOADING=1"
        } _: {
            daemon.errors.text
        }
        #expect(first == "READY=1")
        try manager.waitFor("RELOADING=1") { daemon.errors.text }
        try manager.waitFor("READY=1") { daemon.errors.text }
        try daemon.errors.waitFor("keeping the previous configuration")
    }

    @Test(
        "--help and --version do not fail if their reader has exited",
        arguments: ["jokesd", "jokesctl", "jokes-tui"])
    func brokenPipe(_ program: String) throws {
        let script = #"exec 3> >(:); wait $!; "$0" "$@" >&3"#
        for option in ["--help", "--version"] {
            let result = try ChildProcess.run(
                "/bin/bash", ["-c", script, builtProgram(program), option], environment: ["PATH": "/usr/bin:/bin"])
            #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(option): \(result)")
        }
    }

    @Test("an invalid configuration ends the daemon with exit code 78, after which systemd does not restart it")
    func badConfiguration() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(#"{"sources": [{"name": "x", "type": "telepathy"}]}"#, to: "config.json")
        for task in [[], ["--check-config"]] {
            let result = try run(["--config", file, "--state-dir", folder.path("state")] + task)
            #expect(result.ending == .exited(78))
            #expect(result.errors.contains("config.json:1: sources[0].type:"))
        }
        #expect(try run(["--config", folder.path("none"), "--check-config"]).ending == .exited(78))
    }

    @Test("--once syncs every source, prints a line for each, and returns an exit code for failures")
    func once() throws {
        let server = try OfficialJokeServer([.init(setup: "Once?", punchline: "Once.")])
        let folder = try TemporaryFolder()
        let good = try folder.write(configuration(officialSource(server.url)), to: "good.json")
        let first = try run(["--config", good, "--state-dir", folder.path("state"), "--once"])
        #expect(first.ending == .exited(0) && first.output.hasPrefix("official: 1 new of 1, "))
        #expect(first.output.split(separator: "\n").count == 1)
        let bad = try folder.write(
            configuration(officialSource(server.url), fortuneSource(folder.path("missing"))), to: "bad.json")
        let second = try run(["--config", bad, "--state-dir", folder.path("state2"), "--once"])
        #expect(second.ending == .exited(75))
        #expect(second.output.contains("official: 1 new of 1, "))
        #expect(second.output.contains("fortunes: failed: cannot open"))
        let none = try folder.write(#"{"sources": []}"#, to: "none.json")
        let third = try run(["--config", none, "--state-dir", folder.path("state3"), "--once"])
        #expect(third.ending == .exited(0) && third.output == "no source is enabled\n")
    }

    @Test("only the owner can access the socket and the state files")
    func modes() throws {
        let daemon = try DaemonUnderTest()
        for path in [daemon.socket, "\(daemon.state)/jokes.sqlite", "\(daemon.state)/lock"] {
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o077 == 0, "\(path) has mode \(String(status.st_mode & 0o777, radix: 8))")
        }
    }

    @Test("with closed standard streams, the daemon runs, and no socket or file takes their descriptors")
    func closedStreams() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("s")
        let config = try folder.write(#"{"sources": []}"#, to: "config.json")
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"exec "$@" <&- >&- 2>&-"#, "sh", builtProgram("jokesd"), "--config", config, "--state-dir",
                folder.path("state"), "--socket", socket,
            ])
        try await waitUntil("the daemon answers") {
            try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "status"]).ending == .exited(0)
        }
        for descriptor in 0...2 {
            var target = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/\(process.pid)/fd/\(descriptor)", &target, target.count)
            let name = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #expect(name == "/dev/null", "descriptor \(descriptor)")
        }
    }

    @Test(
        "an unusable path or argument is reported with the next step",
        arguments: [
            (["--state-dir", "/proc/none"], Int32(73), "Use another folder: jokesd --state-dir DIR"),
            (["--sokcet", "x"], 64, "Did you mean '--socket'?"),
            (["stray"], 64, "unexpected argument 'stray'"),
            (["--config", ""], 64, "option '--config' needs a value that is not empty"),
            (["--log-level", "loud"], 64, "error, warning, info or debug"),
        ])
    func misuse(arguments: [String], status: Int32, words: String) throws {
        let result = try run(arguments, environment: ["HOME": "/nonexistent"])
        #expect(result.ending == .exited(status))
        #expect(result.errors.contains(words), "\(result.errors)")
    }
}
