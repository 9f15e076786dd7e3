import Glibc
import Terminal
import TestSupport
import Testing
import Unix

/// The real viewer in a terminal that a shell has used before.
final class OpenViewer: TerminalProgram {
    /// The screen before the viewer started.
    private var textBefore = ""

    /// Opens the viewer on a daemon's socket.
    convenience init(of daemon: DaemonUnderTest, columns: Int = 80, rows: Int = 24) throws {
        try self.init(on: daemon.socket, columns: columns, rows: rows)
    }

    /// Opens the viewer. It is started with the signal `ignored`, a name for env(1), set to be ignored, and with
    /// `variables` in its environment.
    init(
        on socket: String, columns: Int = 80, rows: Int = 24, ignored: String? = nil, variables: [String: String] = [:]
    ) throws {
        try super.init(
            "/usr/bin/env",
            (ignored.map { ["--ignore-signal=\($0)"] } ?? []) + [builtProgram("jokes-tui"), "--socket", socket],
            columns: columns, rows: rows, variables: variables, shownBefore: "$ date\r\nFri Nov 20\r\n$ jokes-tui\r\n")
        textBefore = text
    }

    /// The last line of the screen, the status.
    var status: Substring {
        text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    }

    /// Waits until the daemon's snapshot is shown, down to the last line: frames are painted from the top.
    func waitForJokes() throws {
        try wait("the jokes were shown") { _ in
            status.contains("? help") && !status.contains("connecting") && !status.contains("daemon")
        }
    }

    /// The lines of the list on a screen with rules, without trailing spaces.
    var list: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast(2).map { line in
            var line = line.dropFirst().dropLast()
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    func signal(_ number: Int32) {
        process.signal(number)
    }

    /// True if all timers of the process are off, according to /proc.
    func areTimersOff() throws -> Bool {
        let timers = (0..<64).compactMap { descriptor -> String? in
            // Most of these numbers are not open descriptors.
            let text = try? contentsOfFile("/proc/\(process.pid)/fdinfo/\(descriptor)", limit: 4096)
            return text.map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.contains("it_value:") ? $0 : nil }
        }
        try #require(!timers.isEmpty)
        return timers.allSatisfy { $0.contains("it_value: (0, 0)") }
    }

    /// Delivers signals at the same moment: they are pending while the process is stopped.
    func signalTogether(_ signals: [Int32]) async throws {
        try await stop()
        for signal in signals { process.signal(signal) }
        process.signal(SIGCONT)
    }

    /// Delivers signals at the same moment, also SIGTSTP, which the kernel discards on SIGCONT. They are pending while
    /// the process waits for a terminal that accepts no output, as after ^S.
    func signalTogetherWhileHeld(_ signals: [Int32]) async throws {
        try await stop()
        tcflow(terminal.terminal, TCOOFF)
        defer { tcflow(terminal.terminal, TCOON) }
        process.signal(SIGCONT)
        // The process waits for the terminal. It does not wait for signals, since one of them is pending.
        try await waitForStatus("it waited for the terminal") { $0.contains("\nState:\tS") }
        for signal in signals { process.signal(signal) }
        try await waitForStatus("the signals waited") { status in signals.allSatisfy { status.hasPending($0) } }
    }

    private func stop() async throws {
        process.signal(SIGSTOP)
        try await waitForStatus("it had stopped") { $0.contains("\nState:\tT") }
    }

    private func waitForStatus(_ claim: String, _ condition: (String) -> Bool) async throws {
        try await waitUntil(claim) {
            let status = try contentsOfFile("/proc/\(process.pid)/status", limit: 65536)
            return condition(String(decoding: status, as: UTF8.self))
        }
    }

    /// Ends the viewer with q or a signal.
    func quit(by signal: Int32? = nil, ending: ChildProcess.Ending = .exited(0)) throws {
        #expect(screen.isAlternate && screen.inputModes == [1000, 1006, 2004, 2031])
        try #expect(!isAsBefore)
        if let signal { process.signal(signal) } else { try type("q") }
        try waitForEnd(ending)
    }

    /// Waits until the viewer ends as expected, with a restored terminal and without unexpected output.
    func waitForEnd(_ ending: ChildProcess.Ending = .exited(0)) throws {
        try #expect(process.waitForEnd() == ending)
        // All output before the end can still be read.
        try wait("the screen from before was back") { _ in !screen.isAlternate && screen.isCursorShown }
        #expect(screen.text == textBefore && screen.inputModes.isEmpty)
        #expect(screen.unexpectedOutput.isEmpty)
        let entries = ["h", "l"].map { String(decoding: written, as: UTF8.self).ranges(of: "\u{1B}[?1049\($0)").count }
        #expect(entries[0] == entries[1])
        #expect(process.errors.text.isEmpty)
        try #expect(isAsBefore)
    }
}

extension String {
    /// True if a signal is pending for the process with this status; see proc(5).
    fileprivate func hasPending(_ signal: Int32) -> Bool {
        let line = split(separator: "\n").first { $0.hasPrefix("ShdPnd:\t") }
        let set = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
        return set & 1 << UInt64(signal - 1) != 0
    }
}
