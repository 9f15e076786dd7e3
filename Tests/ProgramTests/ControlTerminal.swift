import Glibc
import Terminal
import TestSupport
import Testing
import TextLayout
import Unix

/// The real jokesctl in a terminal of its own, its errors too, and what that terminal shows.
final class ControlTerminal {
    let process: ChildProcess
    /// For as long as it is talked to.
    private let daemon: DaemonUnderTest
    private let terminal: PseudoTerminal
    private let modesBefore: [UInt32]
    private(set) var picture: TerminalPicture
    /// All that was written, as far as it was read.
    private(set) var written: [UInt8] = []

    private static let endMark = "\u{4}"

    /// Starts a command; the environment has nothing but these variables and the terminal's type. `ignored` is a signal,
    /// by its name for trap, that it is started with as one to be ignored.
    init(
        _ daemon: DaemonUnderTest, _ arguments: [String], columns: Int = 80, rows: Int = 24,
        variables: [String: String] = [:], ignored: String? = nil
    ) throws {
        self.daemon = daemon
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        modesBefore = try terminal.modes()
        picture = TerminalPicture(.xterm, columns: columns, rows: rows) { $0.columns }
        process = try ChildProcess(
            "/bin/sh",
            [
                "-c", (ignored.map { "trap '' \($0); " } ?? "") + #"exec "$0" "$@" 2>&1"#, builtProgram("jokesctl"),
                "--socket", daemon.socket,
            ] + arguments,
            // The runtime's account of a fault would wait for a key.
            environment: ["TERM": TerminalPicture.Kind.xterm.rawValue, "SWIFT_BACKTRACE": "enable=no"].merging(
                variables
            ) { $1 },
            terminal: terminal)
    }

    /// The screen, a line for each row.
    var text: String { picture.text }

    /// Whether the terminal is as it was before the command.
    var isAsBefore: Bool {
        get throws { try terminal.modes() == modesBefore }
    }

    /// Waits until the screen is as it should be.
    func wait(_ claim: String, _ condition: (String) throws -> Bool) throws {
        let deadline = Deadline()
        while try !condition(text) {
            do {
                take(try terminal.read(deadline))
            } catch is DeadlinePassed {
                throw DeadlinePassed("\(claim); the terminal showed:\n\(text)")
            }
        }
    }

    func type(_ text: String) throws {
        try terminal.type(text)
    }

    /// The line that a program would read that comes after the command.
    func readLine() throws -> String {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while line.last != UInt8(ascii: "\n") {
            try waitUntil(terminal.terminal, isReadyFor: POLLIN)
            let count = try retrying("read") { read(terminal.terminal, &buffer, buffer.count) }
            line += buffer[..<count]
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Gives the terminal another size; the kernel tells the command.
    func resize(columns: Int, rows: Int) throws {
        picture.resize(columns: columns, rows: rows)
        try terminal.resize(columns: columns, rows: rows)
    }

    /// Waits until the command ends, and for all that it wrote; the terminal is as it was then.
    func waitForEnd(_ ending: ChildProcess.Ending = .exited(0)) throws {
        // More than a terminal holds is written only while somebody reads.
        startThread { [process, terminal] in
            _ = try? process.waitForEnd()
            try? writeFully(Self.endMark, to: terminal.terminal)
        }
        take(Array(try terminal.read(until: Self.endMark).utf8.dropLast()))
        try #expect(process.waitForEnd() == ending)
        try #expect(isAsBefore)
        // A pager may ring.
        #expect(picture.strangers.allSatisfy { $0 == "\u{7}" }, "\(picture.strangers)")
    }

    private func take(_ bytes: [UInt8]) {
        written += bytes
        picture.take(bytes)
    }

    /// What a command writes from start to end, without its styles, by lines.
    static func lines(
        _ daemon: DaemonUnderTest, _ arguments: [String], columns: Int, ending: ChildProcess.Ending = .exited(0)
    ) throws -> [String] {
        let terminal = try ControlTerminal(daemon, ["--no-pager", "--color", "never"] + arguments, columns: columns)
        try terminal.waitForEnd(ending)
        return String(decoding: terminal.written, as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
