import Glibc

struct TestFailure: Error, CustomStringConvertible {
    let description: String
}

/// One of the real programs, as it was built with the tests, with a pipe at each end. Killed when its owner lets go.
final class Program {
    private let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var printed: [UInt8] = []
    private var isTyping = true
    private var hasEnded = false

    init(_ name: String, _ arguments: [String] = []) throws {
        var (into, out): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&into) == 0, pipe(&out) == 0 else { throw TestFailure(description: "no pipe: errno \(errno)") }
        // Not for programs that other tests start, which would hold the ends open.
        for end in into + out { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, into[0], 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        let path = builtProgram(name)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, nil, words, environ)
        close(into[0])
        close(out[1])
        (self.pid, input, output) = (pid, into[1], out[0])
        guard code == 0 else { throw TestFailure(description: "\(path) was not started: error \(code)") }
    }

    deinit {
        if isTyping { close(input) }
        close(output)
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Types the lines, and returns all that the program prints to its end, which has to be a good one.
    static func run(_ name: String, _ arguments: [String] = [], typing lines: [String]) throws -> [String] {
        let program = try Program(name, arguments)
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        guard write(program.input, bytes, bytes.count) == bytes.count else {
            throw TestFailure(description: "\(name) does not read")
        }
        close(program.input)
        program.isTyping = false
        let (printed, status) = try program.end()
        guard status == 0 else { throw TestFailure(description: "wait status \(status) after: \(printed)") }
        return printed
    }

    /// Stops the program, and returns all that it printed.
    func stop() throws -> [String] {
        // The runner of the tests may have blocked the signals that ask, and what it starts inherits that.
        kill(pid, SIGKILL)
        return try end().printed
    }

    /// Waits until the program has printed a whole line, and returns the first one.
    func firstLine() throws -> String {
        while !printed.contains(UInt8(ascii: "\n")) {
            guard try readMore() else { throw TestFailure(description: "the program ended without a line") }
        }
        return String(decoding: printed.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private func end() throws -> (printed: [String], status: Int32) {
        while try readMore() {}
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        hasEnded = true
        return (String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init), status)
    }

    /// Waits for output, at most 20 seconds; false at its end.
    private func readMore() throws -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) == 1 else { throw TestFailure(description: "no output within 20 seconds") }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &part, part.count)
        guard count >= 0 else { throw TestFailure(description: "unreadable output: errno \(errno)") }
        printed += part[..<count]
        return count > 0
    }
}

/// The programs lie beside the one that runs the tests.
func builtProgram(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path[...(path.lastIndex(of: "/") ?? path.startIndex)] + name
}
