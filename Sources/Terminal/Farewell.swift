import CLinux
import CNcurses
import Glibc

/// What gives a terminal back that its program cannot give back any more: the commands of ncurses' `endwin`, and modes.
struct Farewell {
    private let input: Int32
    private let output: Int32
    private let modes: termios
    /// Known when ncurses has looked up the terminal.
    private var commands: [UInt8] = []

    /// Remembers the modes that the terminal has now. Nil where it tells none.
    init?(input: Int32, output: Int32) {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return nil }
        (self.input, self.output, self.modes) = (input, output, modes)
    }

    /// Takes the commands of the terminal that ncurses knows now, and those for what it does not know of.
    mutating func take(_ ownCommands: String) {
        let ncurses = [
            ncurses_plain_style(), ncurses_plain_colors(), ncurses_local_keypad(), ncurses_leave_screen(),
            ncurses_show_cursor(),
        ]
        commands = Array(ownCommands.utf8) + ncurses.compactMap { $0 }.flatMap { withoutDelays(String(cString: $0)) }
    }

    /// From now on a fault that ends the process gives the terminal back; see `linux_guard_terminal`.
    func prepare() {
        var modes = modes
        commands.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                linux_guard_terminal(input, &modes, output, $0.baseAddress, $0.count)
            }
        }
    }

    func cancel() {
        linux_release_terminal()
    }
}

/// A command without what the terminal database has in it for slow terminals: `$<100/>`.
func withoutDelays(_ command: String) -> [UInt8] {
    var kept: [UInt8] = []
    var rest = Array(command.utf8)[...]
    while let byte = rest.first {
        if rest.starts(with: "$<".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            rest = rest[(end + 1)...]
        } else {
            kept.append(byte)
            rest = rest.dropFirst()
        }
    }
    return kept
}
