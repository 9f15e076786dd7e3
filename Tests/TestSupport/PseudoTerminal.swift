import Glibc
package import Unix

/// A pseudo terminal: the program under test uses one end, the test reads and types at the other.
package final class PseudoTerminal: Sendable {
    /// The test's end; nonblocking.
    package let controller: Int32
    /// The program's end, a terminal.
    package let terminal: Int32
    /// The path of the program's end.
    package let path: String

    package init(columns: Int, rows: Int) throws(SystemError) {
        let controller = try retrying("open", "/dev/ptmx") {
            open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        }
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        try retrying("unlock a pseudo terminal") { ioctl(controller, UInt(setLock), &unlocked) }
        try retrying("read the number of a pseudo terminal") { ioctl(controller, UInt(getNumber), &number) }
        let path = "/dev/pts/\(number)"
        terminal = try retrying("open", path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
        self.controller = controller
        self.path = path
        try resize(columns: columns, rows: rows)
    }

    deinit {
        close(terminal)
        close(controller)
    }

    /// Changes the size of the terminal. The kernel notifies the programs in the foreground.
    package func resize(columns: Int, rows: Int) throws(SystemError) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try retrying("resize a pseudo terminal") { ioctl(controller, UInt(TIOCSWINSZ), &size) }
    }

    /// Writes keyboard input.
    package func type(_ text: String) throws(SystemError) {
        let bytes = Array(text.utf8)
        try retrying("type") { write(controller, bytes, bytes.count) }
    }

    /// Reads the output since the last read, up to the first read that contains `text`.
    package func read(until text: String, _ deadline: Deadline = Deadline()) throws -> String {
        var bytes: [UInt8] = readAvailable()
        while true {
            let output = String(decoding: bytes, as: UTF8.self)
            if output.contains(text) { return output }
            do {
                bytes += try read(deadline)
            } catch is DeadlinePassed {
                throw DeadlinePassed(
                    "\(text.debugDescription) was written; the output was \(output.debugDescription)")
            }
        }
    }

    /// Waits for output and returns it.
    package func read(_ deadline: Deadline = Deadline()) throws -> [UInt8] {
        try waitUntil(controller, isReadyFor: POLLIN, deadline)
        return readAvailable()
    }

    private func readAvailable() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(controller, &buffer, buffer.count)
            if count <= 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Returns the terminal's input, output, control and local modes.
    package func modes() throws(SystemError) -> [UInt32] {
        var modes = termios()
        try retrying("read the modes of", path) { tcgetattr(terminal, &modes) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }
}

// TIOCSPTLCK and TIOCGPTN, which are macros that Swift cannot import.
private let setLock = 0x4004_5431
private let getNumber = 0x8004_5430
