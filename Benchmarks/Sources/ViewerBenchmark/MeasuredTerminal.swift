import Glibc
import Measuring
import Terminal
import TestSupport
import TextLayout

/// A program in its own terminal, with the times of its output.
final class MeasuredTerminal {
    static let (columns, rows) = (80, 24)

    private let name: String
    private let terminal: PseudoTerminal
    private let process: ChildProcess
    private var screen: TerminalScreen
    private let start: ContinuousClock.Instant

    /// Starts the program in the terminal.
    init(_ program: ShownProgram) throws {
        name = program.name
        terminal = try PseudoTerminal(columns: Self.columns, rows: Self.rows)
        screen = TerminalScreen(.xterm, columns: Self.columns, rows: Self.rows) { $0.columns }
        start = .now
        process = try ChildProcess(
            program.path, program.arguments, environment: program.environment, terminal: terminal)
    }

    /// Starts the program, and waits until its first screen is complete.
    static func shown(_ program: ShownProgram) throws -> MeasuredTerminal {
        let terminal = try MeasuredTerminal(program)
        try terminal.wait(until: program.isShown)
        return terminal
    }

    /// The text of the screen.
    var text: String { screen.text }

    var measuredProcess: MeasuredProcess {
        MeasuredProcess(pid: process.pid)
    }

    /// Waits until the screen is in the expected state.
    ///
    /// - Returns: The milliseconds from the start until the last output that was needed for this state.
    @discardableResult
    func wait(until condition: (_ lines: [Substring]) -> Bool) throws -> Double {
        var last = start
        let deadline = Deadline()
        while !condition(screen.text.split(separator: "\n", omittingEmptySubsequences: false)) {
            screen.process(try read("filled its screen", deadline))
            last = .now
        }
        return start.duration(to: last) / .milliseconds(1)
    }

    /// Types the keys, and waits for their output.
    ///
    /// - Returns: The milliseconds until the last output.
    func type(_ keys: String) throws -> Double {
        let start = ContinuousClock.now
        try terminal.type(keys)
        var last = start
        let deadline = Deadline()
        repeat {
            let bytes = try read("answered a key", deadline)
            last = .now
            screen.process(bytes)
        } while try hasMore()
        return start.duration(to: last) / .milliseconds(1)
    }

    private func read(_ goal: String, _ deadline: Deadline) throws -> [UInt8] {
        do {
            return try terminal.read(deadline)
        } catch is DeadlinePassed {
            throw DeadlinePassed("\(name) \(goal); it shows:\n\(screen.text)\n\(process.errors.text)")
        }
    }

    /// A frame is written at once but arrives in pieces. After a pause of this duration, the frame is complete.
    private func hasMore() throws -> Bool {
        var waited = pollfd(fd: terminal.controller, events: Int16(POLLIN), revents: 0)
        return poll(&waited, 1, 10) > 0
    }

    /// Stops the program and waits until it has exited.
    func stop() throws {
        process.signal(SIGTERM)
        try process.waitForEnd()
    }
}
