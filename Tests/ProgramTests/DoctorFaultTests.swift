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
        #expect(visit["configuration"]?.message.contains("valid, ") == true)
        #expect(visit["time-sync"] != nil)
        let text = try ChildProcess.run(
            builtProgram("jokesctl"), ["doctor"], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "/nowhere"])
        let lines = text.output.split(separator: "\n")
        let failed = try #require(lines.firstIndex { $0.hasPrefix("failed ") })
        #expect(lines[failed + 1].hasSuffix("  → Start the daemon: jokesd &"), "\(text.output)")
    }

    @Test("without a daemon, an error in the configuration is reported with file, line and key")
    func badConfiguration() throws {
        let folder = try TemporaryFolder()
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        try folder.write("{\n  sources: [],\n  wrong: 1\n}", to: "jokesd/config.json")
        let visit = try DoctorVisit(
            [], environment: ["XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path, "PATH": "/nowhere"])
        #expect(visit["configuration"]?.state == "failed")
        #expect(visit["configuration"]?.message.contains("config.json:3: unknown key 'wrong'") == true)
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
    private static let otherUser = user(65534)

    private static func user(_ id: Int) -> [String] {
        ["/usr/bin/setpriv", "--reuid=\(id)", "--regid=65534", "--clear-groups"]
    }

    private static let canBeOtherUser: Bool = {
        let words = otherUser + [builtProgram("jokesctl"), "--version"]
        return (try? ChildProcess.run(words[0], Array(words.dropFirst())))?.ending == .exited(0)
    }()

    @Test(
        "a user without access to the socket gets the name of the group with access, and how to join it",
        .enabled(if: canBeOtherUser, "it needs root, and a build that other users may run"))
    func denied() throws {
        let daemon = try DaemonUnderTest()
        try retrying("open the folder") { chmod(daemon.folder.path, 0o755) }
        let group = try #require(AccountLine.all(of: "/etc/group").first { $0.id != 0 && $0.id != 65534 })
        try retrying("give the socket a group") { chown(daemon.socket, 0, group.id) }
        try retrying("open the socket for it") { chmod(daemon.socket, 0o660) }
        let visit = try DoctorVisit(["--socket", daemon.socket], through: Self.otherUser)
        #expect(visit.ending == .exited(69))
        let socket = try #require(visit["socket"])
        #expect(socket.message.hasSuffix("is not in the group \(group.name)"), "\(socket)")
        #expect(socket.advice?.hasPrefix("sudo usermod -aG \(group.name) ") == true, "\(socket)")
        let unnamed = try #require(
            (50_000..<60_000).first { id in !AccountLine.all(of: "/etc/passwd").contains { $0.id == UInt32(id) } })
        let stranger = try DoctorVisit(["--socket", daemon.socket], through: Self.user(unnamed))["socket"]
        #expect(
            stranger?.message.hasPrefix("user \(unnamed) has no access to ") == true, "\(String(describing: stranger))")
        #expect(stranger?.advice == "Ask the administrator to add you to the group \(group.name), then log in again.")
        let member = Self.otherUser.dropLast() + ["--groups=\(group.id)"]
        #expect(try DoctorVisit(["--socket", daemon.socket], through: Array(member)).ending == .exited(0))
        try retrying("close it for the group") { chmod(daemon.socket, 0o600) }
        #expect(
            try DoctorVisit(["--socket", daemon.socket], through: Array(member))["socket"]?.message
                .hasSuffix("and no group has access") == true)
    }
}
