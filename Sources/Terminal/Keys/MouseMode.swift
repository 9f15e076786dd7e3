import Unix

/// Has the terminal tell what is done with its mouse, which ncurses would ask for in the old form, for 223 columns.
struct MouseMode {
    /// What a report in the form 1006 begins with, and the number that ncurses is to give it, beyond those of its keys.
    static let prefix = "\u{1B}[<"
    static let prefixCode: Int32 = 2000

    let output: Int32
    let isOn: Bool

    /// Presses and releases (1000), in the form that has no largest column (1006).
    func begin() {
        write("\u{1B}[?1000h\u{1B}[?1006h")
    }

    func end() {
        write(offCommand)
    }

    /// Empty where nothing was asked for.
    var offCommand: String {
        isOn ? "\u{1B}[?1006l\u{1B}[?1000l" : ""
    }

    /// A terminal that is gone is told of as the end of its input.
    private func write(_ command: String) {
        if isOn { try? writeFully(command, to: output) }
    }
}
