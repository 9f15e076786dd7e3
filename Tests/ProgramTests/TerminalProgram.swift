import Terminal
import TestSupport
import TextLayout
import Unix

/// A real program in a terminal of its own, and what that terminal shows.
class TerminalProgram {
    let process: ChildProcess
    let terminal: PseudoTerminal
    private let modesBefore: [UInt32]
    private(set) var picture: TerminalPicture
    /// All that was written, as far as it was read.
    private(set) var written: [UInt8] = []

    /// Starts it; the environment has nothing but these variables and the terminal's type. `shownBefore` is on the screen
    /// when it comes.
    init(
        _ program: String, _ arguments: [String], columns: Int, rows: Int, variables: [String: String],
        shownBefore: String = ""
    ) throws {
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        modesBefore = try terminal.modes()
        picture = TerminalPicture(.xterm, columns: columns, rows: rows) { $0.columns }
        picture.take(Array(shownBefore.utf8))
        process = try ChildProcess(
            program, arguments,
            // The runtime's account of a fault would wait for a key.
            environment: ["TERM": TerminalPicture.Kind.xterm.rawValue, "SWIFT_BACKTRACE": "enable=no"].merging(
                variables
            ) { $1 },
            terminal: terminal)
    }

    /// The screen, a line for each row.
    var text: String { picture.text }

    /// Whether the terminal is as it was before the program.
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

    /// Gives the terminal another size; the kernel tells the program.
    func resize(columns: Int, rows: Int) throws {
        picture.resize(columns: columns, rows: rows)
        try terminal.resize(columns: columns, rows: rows)
    }

    /// Has the terminal show what was read of what the program wrote.
    func take(_ bytes: [UInt8]) {
        written += bytes
        picture.take(bytes)
    }
}
