import Glibc
import JokesProtocol
import TestSupport
import Testing
import Unix

/// `jokesctl doctor` without a daemon, and with an unreachable one.
@Suite struct DoctorFaultTests {
    @Test("without a daemon, each socket path has a result, the other checks follow, and the exit code is 69")
    func noDaemon() throws {
        let folder = try TemporaryFolder()
        let visit = try DoctorVisit([], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/nowhere"])
        #expect(visit.ending == .exited(69))
        let personal = try #require(visit["socket", of: folder.path("jokesd/jokesd.sock")])
        #expect(personal.state == "failed" && personal.message.hasSuffix(": its folder does not exist"))
        // The advice is given once, below the first line that failed.
        #expect(personal.advice == "Start the daemon: jokesd &")
        #expect(visit["socket", of: SocketPath.system].map { $0.advice == nil } == true)
        #expect(visit["unit"]?.message == "systemd does not manage jokesd here")
        #expect(visit["unit"]?.state == "ok" && visit["unit"]?.advice == nil)
        #expect(visit["time-sync"] != nil)
        let text = try ChildProcess.run(
            builtProgram("jokesctl"), ["doctor"], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/nowhere"])
        let lines = text.output.split(separator: "\n")
        let failed = try #require(lines.firstIndex { $0.hasPrefix("failed ") })
        #expect(lines[failed + 1].hasSuffix("  → Start the daemon: jokesd &"), "\(text.output)")
    }

    @Test("the socket of a killed daemon and a missing socket have different results")
    func staleSocket() throws {
        let daemon = try DaemonUnderTest()
        try daemon.kill()
        let visit = try daemon.doctor()
        #expect(visit.ending == .exited(69))
        #expect(visit["socket"]?.message.hasPrefix("no service listens at") == true)
        #expect(visit["socket"]?.advice == "Start the daemon: jokesd --socket \(daemon.socket) &")
    }

    @Test(
        "a silent daemon and an unreachable daemon have different results",
        .enabled(if: isSlowTier, "slow tier"))
    func silent() throws {
        let daemon = try DaemonUnderTest()
        daemon.process.signal(SIGSTOP)
        let visit = try daemon.doctor()
        daemon.process.signal(SIGCONT)
        #expect(visit.ending == .exited(69))
        #expect(visit["socket"]?.state == "ok" && visit["daemon"]?.state == "failed")
        #expect(visit["daemon"]?.message == "the daemon has not answered for 10 s")
        #expect(
            visit["daemon"]?.advice
                == "Restart the daemon: stop jokesd, then run: jokesd --socket \(daemon.socket) &")
    }

    @Test("an invalid socket address is a usage error")
    func noAddress() throws {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", "tcp:1.2.3.4:5", "doctor"])
        #expect(result.ending == .exited(64) && result.output.isEmpty)
    }

    /// A user without privileges that can run the program.
    private static let otherUser = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    private static let canBeOtherUser: Bool = {
        let words = otherUser + [builtProgram("jokesctl"), "--version"]
        return (try? ChildProcess.run(words[0], Array(words.dropFirst())))?.ending == .exited(0)
    }()

    @Test(
        "a user without access to the socket gets a hint",
        .enabled(if: canBeOtherUser, "it needs root, and a build that other users may run"))
    func denied() throws {
        let daemon = try DaemonUnderTest()
        try retrying("open the folder") { chmod(daemon.folder.path, 0o755) }
        let visit = try DoctorVisit(["--socket", daemon.socket], through: Self.otherUser)
        #expect(visit.ending == .exited(69))
        let socket = try #require(visit["socket"])
        #expect(socket.message == "cannot connect to the daemon at \(daemon.socket): permission denied")
        #expect(socket.advice?.hasPrefix("The socket may belong to another user.") == true, "\(socket)")
    }
}
