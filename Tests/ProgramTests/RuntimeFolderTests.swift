import Glibc
import JokesProtocol
import TestSupport
import Testing
import Unix

/// How the programs find each other without `XDG_RUNTIME_DIR`, as in cron, su and sudo.
@Suite struct RuntimeFolderTests {
    private static let unshare = "/usr/bin/unshare"

    /// A shell command that runs a program with the folder $0 as /run, as the user 1234.
    private static let words = ["-rm", "sh", "-c", #"mount --rbind "$0" /run && exec unshare -U --map-user=1234 "$@""#]

    private static let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    private static let isPermitted: Bool = {
        let probe = try? ChildProcess.run(unshare, words + ["/mnt", "true"], environment: path)
        return probe?.ending == .exited(0)
    }()

    @Test(
        "without a session, the daemon listens in /run/user/UID, and jokesctl finds it there",
        .enabled(if: isPermitted, "This user cannot create namespaces."))
    func withoutSession() throws {
        let folder = try TemporaryFolder()
        for name in ["run", "run/user", "run/user/1234"] { try makeFolder(folder.path(name), mode: 0o700) }
        try folder.write(#"{"sources": []}"#, to: "config.json")
        let manager = try ManagerSocket(folder.path("notify"))
        let words = Self.words + [folder.path("run")]
        let daemon = try ChildProcess(
            Self.unshare,
            words + [
                builtProgram("jokesd"), "--config", folder.path("config.json"), "--state-dir", folder.path("state"),
            ], environment: Self.path.merging(["NOTIFY_SOCKET": folder.path("notify")]) { $1 })
        try manager.waitFor("READY=1") { daemon.errors.text }
        #expect(exists(folder.path("run/user/1234/jokesd/jokesd.sock")), "\(daemon.errors.text)")
        let status = try ChildProcess.run(
            Self.unshare, words + [builtProgram("jokesctl"), "status"], environment: Self.path)
        #expect(status.ending == .exited(0), "\(status)")
    }

    @Test("no hint starts a daemon while one runs at another socket")
    func hint() throws {
        let daemon = try DaemonUnderTest()
        try retrying("link", "jokesd") { symlink(daemon.state, daemon.folder.path("jokesd")) }
        let other = daemon.folder.path("other")
        func errors() throws -> String {
            try ChildProcess.run(
                builtProgram("jokesctl"), ["--socket", other, "random"],
                environment: ["XDG_STATE_HOME": daemon.folder.path]
            ).errors
        }
        #expect(
            try errors() == """
                jokesctl: cannot connect to the daemon at \(other): no such file or directory
                jokesd runs as process \(daemon.process.pid), but not at this socket. Name its socket with --socket PATH or \
                $JOKESD_SOCKET, or stop it: kill \(daemon.process.pid)

                """)
        try daemon.kill()
        #expect(try errors().hasSuffix("Start the daemon: jokesd --socket \(other) &\n"))
    }
}
