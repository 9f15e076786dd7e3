import TestSupport
import Testing
import Unix

/// jokesctl in a pseudo terminal that shows its output and errors.
final class ControlTerminal: TerminalProgram {
    /// Kept running while the command runs.
    private let daemon: DaemonUnderTest

    private static let endMark = "\u{4}"

    init(
        _ daemon: DaemonUnderTest, _ arguments: [String], columns: Int = 80, rows: Int = 24,
        variables: [String: String] = [:]
    ) throws {
        self.daemon = daemon
        try super.init(
            "/bin/sh",
            ["-c", #"exec "$0" "$@" 2>&1"#, builtProgram("jokesctl"), "--socket", daemon.socket] + arguments,
            columns: columns, rows: rows, variables: variables)
    }

    /// Waits for the end of the command and for its output.
    func waitForEnd(_ ending: ChildProcess.Ending = .exited(0)) throws {
        // A terminal has a small buffer, so a program can block until its output is read.
        startThread { [process, terminal] in
            _ = try? process.waitForEnd()
            try? writeFully(Self.endMark, to: terminal.terminal)
        }
        take(Array(try terminal.read(until: Self.endMark).utf8.dropLast()))
        try #expect(process.waitForEnd() == ending)
        try #expect(isAsBefore)
        // A pager may ring the bell.
        #expect(screen.unexpectedOutput.allSatisfy { $0 == "\u{7}" }, "\(screen.unexpectedOutput)")
    }

    /// Returns the lines of a command without styles.
    static func lines(
        _ daemon: DaemonUnderTest, _ arguments: [String], columns: Int, ending: ChildProcess.Ending = .exited(0)
    ) throws -> [String] {
        let terminal = try ControlTerminal(daemon, ["--no-pager", "--color", "never"] + arguments, columns: columns)
        try terminal.waitForEnd(ending)
        return String(decoding: terminal.written, as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
