import Glibc
package import Unix

/// A program that a test runs, with its output collected. It is killed when its last owner is released.
package final class ChildProcess: Sendable {
    /// The way a program ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package let pid: Int32
    package let output: CollectedOutput
    package let errors: CollectedOutput
    private let state: ProcessState

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program's path.
    ///   - arguments: The arguments, without the program's name.
    ///   - environment: The whole environment. Only sanitizer options are inherited from the test.
    ///   - input: The path of the file for standard input.
    ///   - terminal: The controlling terminal, for input and output. It replaces `input`, and no output is collected.
    /// - Throws: `SystemError` if the program cannot be started.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        input: String = "/dev/null", terminal: PseudoTerminal? = nil
    ) throws(SystemError) {
        let out = try makePipe()
        let err = try makePipe()
        var child = ChildProgram(program, arguments)
        child.environment = sanitizerOptions.merging(environment) { $1 }
        child.input = terminal.map { .file($0.path, isWritable: true) } ?? .file(input)
        child.output = terminal == nil ? .descriptor(out.writing) : .descriptor(standardInput)
        child.errors = .descriptor(err.writing)
        child.leadsSession = terminal != nil
        pid = try child.start()
        close(out.writing)
        close(err.writing)
        output = try CollectedOutput(from: out.reading)
        errors = try CollectedOutput(from: err.reading)
        state = try ProcessState(pid: pid)
        startThread { [state] in state.awaitEnd() }
    }

    deinit {
        state.signal(SIGKILL)
    }

    /// Sends a signal; does nothing after the program has ended.
    package func signal(_ number: Int32) {
        state.signal(number)
    }

    /// Waits until the program ends.
    @discardableResult
    package func waitForEnd(_ deadline: Deadline = Deadline()) throws -> Ending {
        do {
            try waitUntil(state.end.descriptor, isReadyFor: POLLHUP, deadline)
        } catch is DeadlinePassed {
            throw DeadlinePassed("process \(pid) ended; its errors: \(errors.text)")
        }
        try output.waitForEnd(deadline)
        try errors.waitForEnd(deadline)
        return state.ending.withLock { $0! }
    }

    /// The output of a program, and the way it ended.
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

/// The options that `make sanitize` sets for sanitizers, such as the folder for their reports.
private let sanitizerOptions: [String: String] = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"]
    .reduce(into: [:]) { options, name in
        if let value = getenv(name) { options[name] = String(cString: value) }
    }

/// The state of the program, shared with the thread that waits for its end.
private final class ProcessState: Sendable {
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

    /// Waits for the end of the program, and reaps it under the lock, so that no signal is sent to a reused process ID.
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

/// The output of a program on one descriptor, as it arrives.
package final class CollectedOutput: Sendable {
    private let content = Locked((bytes: [UInt8](), isComplete: false))
    private let end: Gate

    /// Reads the descriptor to its end on a new thread, and closes it.
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
            content.withLock { $0.isComplete = true }
            end.open()
        }
    }

    /// The output so far.
    package var text: String {
        String(decoding: content.withLock { $0.bytes }, as: UTF8.self)
    }

    /// The complete lines so far.
    package var lines: [Substring] {
        Self.lines(of: text)
    }

    /// Waits until the output contains a text.
    package func waitFor(_ text: String, _ deadline: Deadline = Deadline()) throws {
        try wait(for: text, deadline) { $0.contains(text) }
    }

    /// Waits until a complete line contains a text.
    package func waitForLine(with text: String, _ deadline: Deadline = Deadline()) throws {
        try wait(for: "a line with \(text)", deadline) { Self.lines(of: $0).contains { $0.contains(text) } }
    }

    /// Waits until there are `count` complete lines, and returns all complete lines.
    package func waitForLines(_ count: Int, _ deadline: Deadline = Deadline()) throws -> [Substring] {
        try wait(for: "\(count) lines", deadline) { Self.lines(of: $0).count >= count }
        return lines
    }

    /// Checks the condition after each output.
    ///
    /// - Throws: `DeadlinePassed` at the deadline, or if the output ends before the condition is met.
    private func wait(for event: String, _ deadline: Deadline, until condition: (String) -> Bool) throws {
        var isMet = false
        _ = content.wait(deadline) { content in
            isMet = condition(String(decoding: content.bytes, as: UTF8.self))
            return isMet || content.isComplete
        }
        if !isMet { throw DeadlinePassed("the program printed \(event); the output was: \(text)") }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// Waits until the output ends.
    func waitForEnd(_ deadline: Deadline) throws {
        try waitUntil(end.descriptor, isReadyFor: POLLHUP, deadline)
    }
}

/// Returns the path of a program that was built with the tests.
package func builtProgram(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let runner = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return runner.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
}
