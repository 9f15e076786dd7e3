import Unix

/// Modes of xterm's that change what comes from a terminal, and that ncurses knows nothing of or would ask for in an old
/// form: reports of the mouse, for which that has 223 columns, and marks around text that is pasted.
struct InputModes {
    private let output: Int32
    private let numbers: [Int]

    /// Sets none where the terminal is not of xterm's kind.
    init(output: Int32, isXterm: Bool, usesMouse: Bool) {
        self.output = output
        // Presses and releases (1000) in the form that has no largest column (1006), and bracketed paste (2004).
        numbers = isXterm ? (usesMouse ? [1000, 1006] : []) + [2004] : []
    }

    func begin() {
        write(numbers.map { "\u{1B}[?\($0)h" }.joined())
    }

    func end() {
        write(offCommand)
    }

    /// Empty where nothing was asked for.
    var offCommand: String {
        numbers.reversed().map { "\u{1B}[?\($0)l" }.joined()
    }

    /// A terminal that is gone is told of as the end of its input.
    private func write(_ command: String) {
        if !command.isEmpty { try? writeFully(command, to: output) }
    }
}

/// What a terminal in these modes sends besides keys, with the number that ncurses is to give it, beyond those of keys.
enum InputMark: Int32, CaseIterable {
    case mouseReport = 2000
    case pasteBegin, pasteEnd

    var sequence: String {
        switch self {
        case .mouseReport: "\u{1B}[<"
        case .pasteBegin: "\u{1B}[200~"
        case .pasteEnd: "\u{1B}[201~"
        }
    }
}
