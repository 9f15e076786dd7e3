import CLinux
import CNcurses
import Glibc
import TextLayout
import Unix

/// The owner of ncurses and its screen. `end` releases both.
final class Ncurses {
    private let screen: OpaquePointer
    private let files: [UnsafeMutablePointer<FILE>]
    private let input: Int32
    private let output: Int32
    /// The terminal modes before ncurses changes them; nil if they cannot be read.
    private let originalModes: termios?
    private let hasColors: Bool
    private var palette = Palette()
    private let repertoire: Repertoire
    private(set) var size: Size
    private var privateModes: [Int]
    let clipboardRefusal: ClipboardRefusal?

    /// Without a theme, there are no colors.
    init(input: Int32, output: Int32, type: String?, theme: Theme?, usesMouse: Bool) throws(TerminalError) {
        let name = type ?? environment("TERM") ?? ""
        repertoire = adoptLocale(terminal: name)
        var modes = termios()
        originalModes = tcgetattr(input, &modes) == 0 ? modes : nil
        let files = try Self.files(input: input, output: output)
        let screen = newterm(name, files[1], files[0])
        guard let screen, ncurses_can_move() else {
            if let screen {
                endwin()
                delscreen(screen)
            }
            for file in files { fclose(file) }
            throw .unfitTerminal(name: name, isKnown: screen != nil)
        }
        self.screen = screen
        self.files = files
        self.input = input
        self.output = output
        hasColors = theme != nil && has_colors() && start_color() == OK
        size = Self.size(of: output)
        clipboardRefusal = ClipboardRefusal(type: name, hasMouse: ncurses_has_mouse(), environment: environment)
        privateModes = Self.privateModes(usesMouse: usesMouse)
        if let theme { setTheme(theme) }
        setModes()
        adoptSize()
        // Writes all output of ncurses so far: on a screen of a few cells, a part of it was written already, up to the middle
        // of a sequence.
        curs_set(0)
        takeOver()
    }

    /// Opens copies of the descriptors, because `fclose` closes its descriptor.
    private static func files(input: Int32, output: Int32) throws(TerminalError) -> [UnsafeMutablePointer<FILE>] {
        let files = [(input, "r"), (output, "w")].compactMap { (descriptor: Int32, mode: String) in
            fdopen(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), mode)
        }
        if files.count == 2 { return files }
        let error = SystemError("open the terminal")
        for file in files { fclose(file) }
        throw .system(error)
    }

    /// Modes of xterm that ncurses does not set. 1000: presses and releases of the mouse; 1006: their form without a
    /// maximum column; 2004: bracketed paste; 2031: reports of another color scheme.
    private static func privateModes(usesMouse: Bool) -> [Int] {
        ncurses_has_mouse() ? (usesMouse ? [1000, 1006] : []) + [2004, 2031] : []
    }

    /// Asks for the background, and then for the device attributes, which every terminal of this kind reports. False if it
    /// is of another kind.
    func askForBackground() -> Bool {
        guard hasColors, ncurses_has_mouse() else { return false }
        writeControl("\u{1B}]11;?\u{1B}\\\u{1B}[c")
        return true
    }

    func setMouse(isUsed: Bool) {
        let modes = Self.privateModes(usesMouse: isUsed)
        if modes == privateModes { return }
        writeControl(privateModesOff)
        privateModes = modes
        takeOver()
    }

    /// Changes the colors of later output. Does nothing without colors.
    func setTheme(_ theme: Theme) {
        if hasColors { palette = Palette(of: theme, colors: Int(ncurses_colors())) }
    }

    private func setModes() {
        raw()
        noecho()
        nonl()
        intrflush(ncurses_standard_window(), false)
        nodelay(ncurses_standard_window(), true)
        // The handler of ncurses writes to the terminal at any time.
        signal(SIGTSTP, SIG_DFL)
    }

    // MARK: Taking and releasing the terminal

    private func takeOver() {
        guardTerminal()
        writeControl(privateModes.map { "\u{1B}[?\($0)h" }.joined())
    }

    private var privateModesOff: String { privateModes.reversed().map { "\u{1B}[?\($0)l" }.joined() }

    /// Has fatal signals restore the original modes, and write the commands that `leave` would write.
    private func guardTerminal() {
        guard var originalModes else { return }
        let commands = [
            ncurses_plain_style(), ncurses_plain_colors(), ncurses_leave_screen(), ncurses_show_cursor(),
        ]
        // Terminfo has delays for slow terminals at the end, such as `$<100/>`.
        .compactMap { $0.map { String(cString: $0).prefix { $0 != "$" } } }
        let restore = privateModesOff + commands.joined()
        linux_guard_terminal(input, &originalModes, output, restore, restore.utf8.count)
    }

    /// Releases the terminal until `enter`.
    func leave() {
        if isendwin() { return }
        writeControl(privateModesOff)
        endwin()
        linux_release_terminal()
    }

    /// Takes the terminal again, and redraws all of it.
    func enter() {
        leave()
        clearok(ncurses_standard_window(), true)
        // Also sets the modes of the terminal.
        refresh()
        takeOver()
    }

    /// Updates the size, and redraws all of the screen the next time.
    func adoptSize() {
        size = Self.size(of: output)
        resize_term(Int32(size.rows), Int32(size.columns))
        clearok(ncurses_standard_window(), true)
    }

    private static func size(of output: Int32) -> Size {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Releases the terminal and ncurses. The last call.
    func end() {
        // SIGTTOU would stop the process if it is in the background.
        blockingSignals([SIGTTOU]) { leave() }
        delscreen(screen)
        for file in files { fclose(file) }
    }

    // MARK: Painting

    /// Writes a line into the window; the part beyond the width is cut off.
    func write(_ line: Line, row: Int) {
        var cells: [cchar_t] = []
        for span in line.written(in: repertoire).spans {
            let (attributes, pair) = appearance(of: span.style)
            cells += span.text.flatMap { glyphs(of: $0) }.map { cell($0, attributes, pair) }
        }
        move(Int32(row), 0)
        clrtoeol()
        add_wchnstr(cells, Int32(cells.count))
    }

    private func glyphs(of character: Character) -> [Glyph] {
        if let ascii = character.asciiValue { return [Glyph(base: Unicode.Scalar(ascii))] }
        return Terminal.glyphs(of: character) { Int(wcwidth(wchar_t($0.value))) }
    }

    private func cell(_ glyph: Glyph, _ attributes: attr_t, _ pair: Int16) -> cchar_t {
        let text = ([glyph.base] + glyph.marks).map { wchar_t($0.value) } + [0]
        var cell = cchar_t()
        setcchar(&cell, text, attributes, pair, nil)
        return cell
    }

    private func appearance(of style: Style) -> (attr_t, Int16) {
        if style.attributes.contains(.selected) {
            if let pair = palette.selectedPairs[style.role] { return (style.attributes.bits, pair) }
            // A reversed color would be a bar of that color.
            return (style.attributes.union(.reverse).bits, 0)
        }
        let pair = palette.pairs[style.role] ?? 0
        let fades = pair == 0 && (style.role == .muted || style.role == .frame)
        return (style.attributes.union(fades ? .dim : []).bits, pair)
    }

    /// Updates the terminal from the window, and moves the cursor.
    func show(cursor: Position?, isVisible: Bool) {
        if let cursor { move(Int32(cursor.row), Int32(cursor.column)) }
        writingAtOnce {
            curs_set(isVisible ? 1 : 0)
            refresh()
        }
    }

    /// Calls the body, and writes all output of ncurses at once, through a file in memory if there can be one. ncurses
    /// itself writes after each movement of the cursor, 48 times in a frame of 40 rows, and each write would wake the
    /// terminal, or be a packet of ssh. The body must not change the modes of the terminal.
    private func writingAtOnce(_ body: () -> Void) {
        let (file, descriptor) = (linux_open_memory_file("frame"), fileno(files[1]))
        defer { close(file) }
        guard linux_dup3(file, descriptor, O_CLOEXEC) >= 0 else { return body() }
        body()
        while linux_dup3(output, descriptor, O_CLOEXEC) < 0, errno == EINTR || errno == EBUSY {}
        let size = Int(lseek(file, 0, SEEK_CUR))
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(file, buffer.baseAddress, size, 0))
        }
        try? writeFully(bytes, to: output, "the terminal")
    }

    /// Writes a control sequence that does not change the screen. A terminal that is gone is reported as the end of input.
    func writeControl(_ command: String) { if !isendwin() { try? writeFully(command, to: output) } }

    // MARK: Input

    /// Returns the next character; nil if there is no more input. Sequences of keys are left to `InputDecoder`, which knows
    /// unknown ones, too.
    func nextCharacter() -> Unicode.Scalar? {
        var code: wint_t = 0
        while true {
            let result = get_wch(&code)
            if result == ERR { return nil }
            if result == OK, let scalar = Unicode.Scalar(code) { return scalar }
        }
    }
}
