import TestSupport
import Testing
import Unix

/// Facts about the machine and the process.
@Suite struct MachineFactsTests {
    @Test(
        "the cgroup of a process names its systemd unit and the manager of the unit",
        arguments: [
            ("0::/system.slice/jokesd.service\n", "sudo systemctl reload jokesd.service"),
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/jokesd.service\n",
                "systemctl --user reload jokesd.service"
            ),
            (
                "12:pids:/x\n1:name=systemd:/system.slice/jokesd-test.service\n",
                "sudo systemctl reload jokesd-test.service"
            ),
            // Started by hand in a terminal, and in a container.
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/terminal.service\n", nil),
            ("0::/\n", nil), ("", nil), ("malformed", nil),
        ])
    func cgroup(text: String, command: String?) {
        #expect(OwnUnit(cgroup: text, prefix: "jokesd")?.command("reload") == command)
    }

    @Test("a program that is run for its output returns the output and the exit code")
    func answers() throws {
        let program = ChildProgram("sh", ["-c", "echo one; echo two >&2; exit 3"])
        #expect(try program.answer(within: .seconds(60)) == .ended(status: 3, output: "one\n"))
        #expect(try program.answer(within: .seconds(60), withErrors: true) == .ended(status: 3, output: "one\ntwo\n"))
        let killed = ChildProgram("sh", ["-c", "kill -9 $$"])
        #expect(try killed.answer(within: .seconds(60)) == .ended(status: nil, output: ""))
        #expect(try ChildProgram("cat", ["/dev/zero"]).answer(within: .seconds(60)) == .timedOut)
        #expect(throws: SystemError.self) { try ChildProgram("no-such-program").answer(within: .seconds(60)) }
    }

    @Test("the free space of a folder is known, and a writable folder has no reason against writing")
    func space() throws {
        let folder = try TemporaryFolder()
        #expect(try FileSystemSpace(of: folder.path).freeBytes > 0)
        #expect(reasonAgainstWriting(to: folder.path) == nil)
        #expect(reasonAgainstWriting(to: folder.path("none")) == "no such file or directory")
        #expect(throws: SystemError.self) { try FileSystemSpace(of: folder.path("none")) }
    }
}
