import Glibc
import Terminal
import TestSupport
import Testing
import Unix

/// The real viewer in a terminal of its own that a shell has been used in.
final class OpenViewer: TerminalProgram {
    /// What was on the screen before the viewer came.
    private var textBefore = ""

    /// Opens it on a daemon's socket.
    convenience init(of daemon: DaemonUnderTest, columns: Int = 80, rows: Int = 24) throws {
        try self.init(on: daemon.socket, columns: columns, rows: rows)
    }

    /// `ignored` is a signal, by its name for env(1), that it is started with as one to be ignored; `variables` are added to
    /// its environment.
    init(
        on socket: String, columns: Int = 80, rows: Int = 24, ignored: String? = nil, variables: [String: String] = [:]
    ) throws {
        try super.init(
            "/usr/bin/env",
            (ignored.map { ["--ignore-signal=\($0)"] } ?? []) + [builtProgram("jokes-tui"), "--socket", socket],
            columns: columns, rows: rows, variables: variables, shownBefore: "$ date\r\nFri Nov 20\r\n$ jokes-tui\r\n")
        textBefore = text
    }

    /// The last line, which says how it stands.
    var status: Substring {
        text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    }

    /// Waits until the daemon's picture is shown, to the last line: frames are painted from the top.
    func waitForJokes() throws {
        try wait("the jokes were shown") { _ in status.contains("cached") && !status.contains("connecting") }
    }

    func signal(_ number: Int32) {
        process.signal(number)
    }

    /// Whether each timer that the kernel keeps for it is off, as /proc tells it.
    func areTimersOff() throws -> Bool {
        let timers = (0..<64).compactMap { descriptor -> String? in
            // Most of the numbers are no open descriptor.
            let text = try? contentsOfFile("/proc/\(process.pid)/fdinfo/\(descriptor)", limit: 4096)
            return text.map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.contains("it_value:") ? $0 : nil }
        }
        try #require(!timers.isEmpty)
        return timers.allSatisfy { $0.contains("it_value: (0, 0)") }
    }

    /// Has signals come at one moment: they wait for it while it is stopped.
    func signalTogether(_ signals: [Int32]) async throws {
        try await stop()
        for signal in signals { process.signal(signal) }
        process.signal(SIGCONT)
    }

    /// Likewise, also one that stops, of which the kernel drops any when a stop ends: they wait for it while the terminal
    /// takes nothing, as after ^S, and it wants to show its screen again.
    func signalTogetherWhileHeld(_ signals: [Int32]) async throws {
        try await stop()
        tcflow(terminal.terminal, TCOOFF)
        defer { tcflow(terminal.terminal, TCOON) }
        process.signal(SIGCONT)
        // Not for signals, one of which is there.
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

    /// Has it end by q, or by a signal.
    func quit(by signal: Int32? = nil, ending: ChildProcess.Ending = .exited(0)) throws {
        #expect(picture.isAlternate && picture.inputModes == [1000, 1006, 2004])
        try #expect(!isAsBefore)
        if let signal { process.signal(signal) } else { try type("q") }
        try waitForEnd(ending)
    }

    /// Waits until it ends: as it should, once, with the terminal as it was, and with nothing written but what belongs there.
    func waitForEnd(_ ending: ChildProcess.Ending = .exited(0)) throws {
        try #expect(process.waitForEnd() == ending)
        // All that it wrote before it ended is there to be read.
        try wait("the screen from before was back") { _ in !picture.isAlternate && picture.isCursorShown }
        #expect(picture.text == textBefore && picture.inputModes.isEmpty)
        #expect(picture.strangers.isEmpty)
        let entries = ["h", "l"].map { String(decoding: written, as: UTF8.self).ranges(of: "\u{1B}[?1049\($0)").count }
        #expect(entries[0] == entries[1])
        #expect(process.errors.text.isEmpty)
        try #expect(isAsBefore)
    }
}

extension String {
    /// Whether a signal waits for the process whose status this is; see proc(5).
    fileprivate func hasPending(_ signal: Int32) -> Bool {
        let line = split(separator: "\n").first { $0.hasPrefix("ShdPnd:\t") }
        let set = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
        return set & 1 << UInt64(signal - 1) != 0
    }
}
