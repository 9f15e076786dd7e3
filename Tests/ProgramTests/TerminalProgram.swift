import Terminal
import TestSupport
import TextLayout
import Unix

/// A real program in a pseudo terminal, and the screen of that terminal.
class TerminalProgram {
    let process: ChildProcess
    let terminal: PseudoTerminal
    private let modesBefore: [UInt32]
    private(set) var screen: TerminalScreen
    /// The output that was read so far.
    private(set) var written: [UInt8] = []

    /// Starts the program. Its environment has only these variables and the terminal's type. `shownBefore` is on the
    /// screen at the start.
    init(
        _ program: String, _ arguments: [String], columns: Int, rows: Int, variables: [String: String],
        shownBefore: String = ""
    ) throws {
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        modesBefore = try terminal.modes()
        screen = TerminalScreen(.xterm, columns: columns, rows: rows) { $0.columns }
        screen.process(Array(shownBefore.utf8))
        process = try ChildProcess(
            program, arguments,
            // After a crash, the runtime's backtrace would wait for a key.
            environment: ["TERM": TerminalScreen.Kind.xterm.rawValue, "SWIFT_BACKTRACE": "enable=no"].merging(
                variables
            ) { $1 },
            terminal: terminal)
    }

    /// The screen, with a line for each row.
    var text: String { screen.text }

    /// True if the terminal's modes are the same as before the program.
    var isAsBefore: Bool {
        get throws { try terminal.modes() == modesBefore }
    }

    /// Waits until the screen meets a condition.
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

    /// Changes the size of the terminal. The kernel notifies the program.
    func resize(columns: Int, rows: Int) throws {
        screen.resize(columns: columns, rows: rows)
        try terminal.resize(columns: columns, rows: rows)
    }

    /// Shows output of the program on the screen.
    func take(_ bytes: [UInt8]) {
        written += bytes
        screen.process(bytes)
    }
}
