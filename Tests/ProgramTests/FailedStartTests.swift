import Glibc
import JokesClient
import JokesProtocol
import TestSupport
import Testing
import Unix

/// Sockets of systemd: a daemon that starts, and clients that wait for one that cannot start.
@Suite(.enabled(if: access(socketActivator, X_OK) == 0, "systemd-socket-activate is not installed"))
struct FailedStartTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var socket: String { folder.path("s") }

    /// systemd's own tool, which becomes the daemon on the first connection.
    private func activate(_ arguments: String...) throws -> ChildProcess {
        let activation = try ChildProcess(
            socketActivator,
            ["--listen", socket, builtProgram("jokesd"), "--state-dir", folder.path("state")] + arguments,
            environment: ["PATH": "/usr/bin:/bin"])
        try activation.errors.waitFor("Listening on")
        return activation
    }

    @Test("a waiting client gets all errors of the configuration in their order, and the daemon ends with exit code 78")
    func badConfiguration() throws {
        let config = try folder.write("{\n\"sources\": 3,\n\"fede\": {}}", to: "config.json")
        let daemon = try activate("--config", config)
        let answer = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "random"])
        #expect(answer.ending == .exited(69))
        #expect(answer.output.isEmpty)
        let lines = answer.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("jokesctl: the daemon cannot start: \(config):2: sources:") == true, "\(lines)")
        #expect(lines.dropFirst().first?.contains("config.json:3: unknown key 'fede'") == true, "\(lines)")
        #expect(lines.last?.contains("--check-config") == true)
        // A client that connects during the answers does not cause another start: the tool starts the daemon only once.
        let second = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "random"])
        #expect(second.errors == answer.errors)
        #expect(try daemon.waitForEnd() == .exited(78))
    }

    @Test("all waiting clients get the error before the daemon ends, so that none of them causes another start")
    func manyWaiting() throws {
        let daemon = try activate("--config", folder.path("none.json"))
        // All clients have to wait for the stopped process.
        daemon.signal(SIGSTOP)
        let clients = try (0..<40).map { _ in
            let client = try RawClient(socket)
            try client.send(#"{"method":"org.jokesd.Jokes.Random"}|"#)
            return client
        }
        daemon.signal(SIGCONT)
        for client in clients {
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix(#"{"error":"org.jokesd.Jokes.CannotStart","parameters":{"#), "\(answer)")
            #expect(answer.contains("cannot open \(folder.path("none.json"))") && answer.hasSuffix("|"), "\(answer)")
        }
        #expect(try daemon.waitForEnd() == .exited(78))
    }

    @Test("a client that never calls gets the error, and delays neither other clients nor the daemon's end")
    func silentClient() throws {
        let daemon = try activate("--no-such-option")
        let silent = try RawClient(socket)
        let answer = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "status"])
        #expect(answer.ending == .exited(69))
        #expect(answer.errors.contains("unknown option '--no-such-option'"), "\(answer.errors)")
        #expect(try daemon.waitForEnd() == .exited(64))
        #expect(try silent.receiveAll().hasPrefix(#"{"error":"org.jokesd.Jokes.CannotStart","#))
    }

    @Test("watch for a bar keeps running, and shows that the daemon is unreachable and why")
    func bar() throws {
        let daemon = try activate("--config", folder.path("none.json"))
        let bar = try ChildProcess(
            builtProgram("jokesctl"), ["--socket", socket, "watch", "--format", "waybar"])
        try bar.output.waitFor("\n")
        #expect(bar.output.text.contains(#""class":"away""#), "\(bar.output.text)")
        #expect(bar.output.text.contains("daemon cannot start: cannot open"), "\(bar.output.text)")
        #expect(try daemon.waitForEnd() == .exited(78))
        #expect(kill(bar.pid, 0) == 0)
    }

    @Test("without a home folder, the daemon names the option for its state folder", arguments: [nil, "", "home"])
    func noHome(home: String?) throws {
        let environment = home.map { ["HOME": $0] } ?? [:]
        let daemon = try ChildProcess.run(builtProgram("jokesd"), environment: environment)
        #expect(daemon.ending == .exited(64))
        #expect(daemon.errors.hasSuffix("Name one: jokesd --state-dir DIR\n"), "\(daemon.errors)")
    }

    @Test("the status in the service manager is the reason for the failed start")
    func status() throws {
        let manager = try ManagerSocket(folder.path("notify"))
        let daemon = try ChildProcess(
            builtProgram("jokesd"), ["--config", folder.path("none.json")],
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
        let line = try manager.first("a status") {
            $0.hasPrefix("STATUS=")
        } _: {
            daemon.errors.text
        }
        #expect(line == "STATUS=cannot start: cannot open \(folder.path("none.json")): no such file or directory")
        #expect(try daemon.waitForEnd() == .exited(78))
    }

    @Test("the daemon starts through systemd-socket-activate and answers the first connection")
    func activation() async throws {
        let state = folder.path("state")
        let config = try folder.write(#"{"sources": []}"#, to: "config.json")
        let activator = try activate("--config", config)
        #expect(access(state, F_OK) != 0)
        let status = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "--json", "status"])
        #expect(status.ending == .exited(0), "\(status.errors) \(activator.errors.text)")
        #expect(access("\(state)/jokes.sqlite", F_OK) == 0)
        // The activator has become the daemon, which must not remove a socket that it did not create.
        activator.signal(SIGTERM)
        #expect(try activator.waitForEnd() == .exited(0))
        #expect(access(socket, F_OK) == 0)
    }
}

/// systemd's own tool, which becomes the program on the first connection.
let socketActivator = "/usr/bin/systemd-socket-activate"
