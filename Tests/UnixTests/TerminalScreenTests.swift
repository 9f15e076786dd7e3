import TestSupport
import Testing

/// The model of a terminal that tests of programs use.
@Suite struct TerminalScreenTests {
    private func screen(_ written: String, columns: Int = 5, rows: Int = 3) -> TerminalScreen {
        var screen = TerminalScreen(.xterm, columns: columns, rows: rows) { $0 == "日" ? 2 : $0 == "\u{301}" ? 0 : 1 }
        // Byte by byte, which is the worst split of reads.
        for byte in written.utf8 { screen.process([byte]) }
        return screen
    }

    // Not test arguments, which are printed unchanged, perhaps to a terminal.
    private static let unknown = [
        "\u{1B}]52;c;aGk=\u{7}", "\u{1B}]0;title\u{1B}\\", "\u{1B}[6n", "\u{1B}[>c", "\u{1B}[?1003h", "\u{1B}[5m",
        "\u{1B}[8m", "\u{1B}c", "\u{1B}P+q\u{1B}\\", "\u{1B}#8", "\u{9B}", "\u{85}", "\u{7}", "\u{0}", "\u{7F}",
        "\u{202E}", "\u{2066}", "\u{200F}", "\u{2028}", "\u{1B}[20t", "\u{1B}[38;2;1;2;3m", "\u{1B}(0",
    ]

    @Test("an unknown escape sequence is reported and not shown")
    func unknownSequences() {
        for written in Self.unknown {
            let screen = screen("a" + written + "b")
            #expect(screen.unexpectedOutput == [written])
            #expect(screen.text == "ab\n\n", "\(written.debugDescription)")
        }
    }
}
