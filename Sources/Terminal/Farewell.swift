import CLinux
import CNcurses
import Glibc

/// Restores the terminal after a crash, with the commands that `endwin` would write, and the original modes.
struct Farewell {
    private let input: Int32
    private let output: Int32
    private let modes: termios
    private var commands: [UInt8] = []

    /// Saves the current modes; nil if they cannot be read.
    init?(input: Int32, output: Int32) {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return nil }
        (self.input, self.output, self.modes) = (input, output, modes)
    }

    /// Adds the commands of the current terminal type, and our own.
    mutating func take(_ ownCommands: String) {
        let ncurses = [
            ncurses_plain_style(), ncurses_plain_colors(), ncurses_local_keypad(), ncurses_leave_screen(),
            ncurses_show_cursor(),
        ]
        commands = Array(ownCommands.utf8) + ncurses.compactMap { $0 }.flatMap { withoutDelays(String(cString: $0)) }
    }

    /// Installs the handlers of fatal signals; see `linux_guard_terminal`.
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

/// Removes the delays that terminfo has for slow terminals, such as `$<100/>`.
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
