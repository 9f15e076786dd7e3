import Glibc
import TestSupport
import Testing
import Unix

@Suite struct ChildProgramTests {
    @Test("a program is found in PATH and gets its arguments, environment and streams")
    func given() throws {
        let folder = try TemporaryFolder()
        try folder.write("asked\n", to: "input")
        let pipe = try makePipe()
        defer { close(pipe.reading) }
        var child = ChildProgram("sh", ["-c", #"read word; echo "$word $0 $LANGUAGE"; echo wrong >&2"#, "a word"])
        child.environment = ["LANGUAGE": "de"]
        child.input = .file(folder.path("input"))
        child.output = .descriptor(pipe.writing)
        child.errors = .descriptor(pipe.writing)
        let pid = try child.start()
        close(pipe.writing)
        #expect(try contents(of: pipe.reading) == "asked a word de\nwrong\n")
        #expect(status(of: pid) == 0)
    }

    @Test("starting a program that does not exist throws ENOENT")
    func missing() {
        #expect(throws: SystemError("start", "no-such-program", code: ENOENT)) {
            try ChildProgram("no-such-program").start()
        }
    }

    @Test("a child inherits the environment by default, and its streams are /dev/null")
    func inherited() throws {
        var child = ChildProgram("sh", ["-c", #"read word; test -z "$word" && test -n "$PATH" && echo into nothing"#])
        child.leadsSession = true
        #expect(status(of: try child.start()) == 0)
    }

    @Test("a child leads its own session if requested, and no signal is blocked")
    func session() throws {
        let pipe = try makePipe()
        defer { close(pipe.reading) }
        var child = ChildProgram("sh", ["-c", "cut -d ' ' -f 1,6 /proc/$$/stat; grep SigBlk /proc/self/status"])
        child.output = .descriptor(pipe.writing)
        child.leadsSession = true
        let pid = try child.start()
        close(pipe.writing)
        #expect(try contents(of: pipe.reading) == "\(pid) \(pid)\nSigBlk:\t0000000000000000\n")
        #expect(status(of: pid) == 0)
    }

    /// Returns the bytes from the pipe, until its other end is closed.
    private func contents(of descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try retrying("read") { read(descriptor, &buffer, buffer.count) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Returns the exit code of the child after its end.
    private func status(of pid: Int32) -> Int32 {
        var status: Int32 = -1
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
