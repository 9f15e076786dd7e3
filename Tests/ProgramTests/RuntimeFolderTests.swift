import Glibc
import JokesProtocol
import TestSupport
import Testing
import Unix

/// Programs that do not find the daemon at its usual socket.
@Suite struct RuntimeFolderTests {
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
