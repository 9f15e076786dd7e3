import Unix

/// Modes of xterm that ncurses does not set: mouse reports in the form that has no largest column, and bracketed paste.
struct InputModes {
    private let output: Int32
    private let numbers: [Int]

    /// Sets no mode unless the terminal is similar to xterm.
    init(output: Int32, isXterm: Bool, usesMouse: Bool) {
        self.output = output
        // 1000: presses and releases; 1006: their form; 2004: bracketed paste.
        numbers = isXterm ? (usesMouse ? [1000, 1006] : []) + [2004] : []
    }

    func begin() {
        write(numbers.map { "\u{1B}[?\($0)h" }.joined())
    }

    func end() {
        write(offCommand)
    }

    var offCommand: String {
        numbers.reversed().map { "\u{1B}[?\($0)l" }.joined()
    }

    /// Ignores errors: a terminal that is gone is reported as the end of its input.
    private func write(_ command: String) {
        if !command.isEmpty { try? writeFully(command, to: output) }
    }
}

/// The sequences of these modes.
enum InputMark: String, CaseIterable {
    case mouseReport = "\u{1B}[<"
    case pasteBegin = "\u{1B}[200~"
    case pasteEnd = "\u{1B}[201~"

    static func begins(with text: String.UnicodeScalarView) -> Bool {
        allCases.contains { $0.rawValue.unicodeScalars.starts(with: text) }
    }
}
