import Glibc
import TestSupport
import Testing
import Unix

/// Sockets that another process opened.
@Suite struct ActivationTests {
    @Test(
        "the daemon starts through systemd-socket-activate and answers the first connection",
        .enabled(if: access(socketActivator, X_OK) == 0, "systemd-socket-activate is not installed"))
    func activation() async throws {
        let folder = try TemporaryFolder()
        let (socket, state) = (folder.path("s"), folder.path("state"))
        let config = try folder.write(#"{"sources": []}"#, to: "config.json")
        let activator = try ChildProcess(
            socketActivator,
            ["--listen", socket, builtProgram("jokesd"), "--config", config, "--state-dir", state],
            environment: ["PATH": "/usr/bin:/bin"])
        try activator.errors.waitFor("Listening on")
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
