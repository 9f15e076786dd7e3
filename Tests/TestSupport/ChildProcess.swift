import Glibc
package import Unix

/// A real program that a test runs beside itself, with its output collected; killed when its last owner goes.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package let pid: Int32
    package let output: Collected
    package let errors: Collected
    private let life: Life

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: what follows its name.
    ///   - environment: the whole environment, and nothing of the test's own but what its sanitizer is told.
    ///   - input: the path of the file that is its standard input.
    ///   - terminal: is its input and output and controls it, in place of `input` and of what is collected.
    /// - Throws: `SystemError` where it cannot be started.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        input: String = "/dev/null", terminal: PseudoTerminal? = nil
    ) throws(SystemError) {
        let out = try makePipe()
        let err = try makePipe()
        var child = ChildProgram(program, arguments)
        child.environment = sanitizerOptions.merging(environment) { $1 }
        child.input = terminal.map { .file($0.path, isWritable: true) } ?? .file(input)
        child.output = terminal == nil ? .descriptor(out.writing) : .sameAsInput
        child.errors = .descriptor(err.writing)
        child.leadsSession = terminal != nil
        pid = try child.start()
        close(out.writing)
        close(err.writing)
        output = try Collected(from: out.reading)
        errors = try Collected(from: err.reading)
        life = try Life(pid: pid)
        startThread { [life] in life.awaitEnd() }
    }

    deinit {
        life.signal(SIGKILL)
    }

    /// Sends a signal; does nothing once the program has ended.
    package func signal(_ number: Int32) {
        life.signal(number)
    }

    /// Waits until the program ends.
    @discardableResult
    package func waitForEnd(_ deadline: Deadline = Deadline()) throws -> Ending {
        do {
            try waitUntil(life.end.descriptor, isReadyFor: POLLHUP, deadline)
        } catch is DeadlinePassed {
            throw DeadlinePassed("process \(pid) ended; its errors: \(errors.text)")
        }
        try output.waitForEnd(deadline)
        try errors.waitForEnd(deadline)
        return life.ending.withLock { $0! }
    }

    /// What a program printed, and how it ended.
    package struct Result: Sendable {
        package let ending: Ending
        package let output: String
        package let errors: String
    }

    /// Runs a program to its end.
    package static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        input: String = "/dev/null", _ deadline: Deadline = Deadline()
    ) throws -> Result {
        let process = try ChildProcess(program, arguments, environment: environment, input: input)
        let ending = try process.waitForEnd(deadline)
        return Result(ending: ending, output: process.output.text, errors: process.errors.text)
    }
}

/// What `make sanitize` tells the sanitizers of the programs, too: where to put what they find, which is what nobody reads
/// of a daemon's errors.
private let sanitizerOptions: [String: String] = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"]
    .reduce(into: [:]) { options, name in
        if let value = getenv(name) { options[name] = String(cString: value) }
    }

/// The program's life, shared with the thread that waits for its end.
private final class Life: Sendable {
    let pid: Int32
    let ending = Locked<ChildProcess.Ending?>(nil)
    /// Opens when the program has ended.
    let end: Gate

    init(pid: Int32) throws(SystemError) {
        self.pid = pid
        end = try Gate()
    }

    func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// The number stays the program's until it is reaped, and nobody signals it from then on.
    func awaitEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        ending.withLock { ending in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            ending = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        }
        end.open()
    }
}

/// What a program writes to one descriptor, as it comes.
package final class Collected: Sendable {
    private let content = Locked((bytes: [UInt8](), isWhole: false))
    private let end: Gate

    /// Reads the descriptor to its end on a thread of its own, and closes it.
    init(from descriptor: Int32) throws(SystemError) {
        end = try Gate()
        startThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    content.withLock { $0.bytes += buffer[..<count] }
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            close(descriptor)
            content.withLock { $0.isWhole = true }
            end.open()
        }
    }

    /// All of it so far.
    package var text: String {
        String(decoding: content.withLock { $0.bytes }, as: UTF8.self)
    }

    /// The complete lines so far.
    package var lines: [Substring] {
        Self.lines(of: text)
    }

    /// Waits until a text is in it.
    package func waitFor(_ text: String, _ deadline: Deadline = Deadline()) throws {
        try wait(for: text, deadline) { $0.contains(text) }
    }

    /// Waits until a line with a text is in it, complete.
    package func waitForLine(with text: String, _ deadline: Deadline = Deadline()) throws {
        try wait(for: "a line with \(text)", deadline) { Self.lines(of: $0).contains { $0.contains(text) } }
    }

    /// Waits until so many lines are there, complete, and returns all that are.
    package func waitForLines(_ count: Int, _ deadline: Deadline = Deadline()) throws -> [Substring] {
        try wait(for: "\(count) lines", deadline) { Self.lines(of: $0).count >= count }
        return lines
    }

    /// Looks again whenever something has come; in vain where all is there, or the deadline passes.
    private func wait(for what: String, _ deadline: Deadline, until condition: (String) -> Bool) throws {
        var isThere = false
        _ = content.wait(deadline) { content in
            isThere = condition(String(decoding: content.bytes, as: UTF8.self))
            return isThere || content.isWhole
        }
        if !isThere { throw DeadlinePassed("the program printed \(what); it printed: \(text)") }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    func waitForEnd(_ deadline: Deadline) throws {
        try waitUntil(end.descriptor, isReadyFor: POLLHUP, deadline)
    }
}

/// The folder of the programs that were built with the tests.
package func builtProgram(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let runner = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return runner.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
}
