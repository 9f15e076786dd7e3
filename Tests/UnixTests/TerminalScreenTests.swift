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
    private static let shown = [
        ("ab\r\ncd", "ab\ncd\n"), ("abcdef", "abcde\nf\n"), ("abcde\rx", "xbcde\n\n"),
        ("a\r\nb\r\nc\r\nd", "b\nc\nd"), ("\u{1B}[2;3Hx\u{1B}[Hy", "y\n  x\n"),
        ("abcd\u{1B}[3D\u{1B}[K", "a\n\n"), ("abcd\u{1B}[2D\u{1B}[1K", "   d\n\n"),
        ("abc\u{1B}[2;1Hd\u{1B}[H\u{1B}[J", "\n\n"), ("abcd\u{1B}[1;2H\u{1B}[2P", "ad\n\n"),
        ("abcd\u{1B}[1;2H\u{1B}[2@", "a  bc\n\n"), ("abcd\u{1B}[1;2H\u{1B}[2X", "a  d\n\n"),
        ("a\u{1B}[3b", "aaaa\n\n"), ("\u{1B}[4hab\u{1B}[Hx", "xab\n\n"),
        ("a\r\nb\u{1B}[H\u{1B}[L", "\na\nb"), ("a\r\nb\u{1B}[H\u{1B}[M", "b\n\n"), ("a\u{1B}[H\u{1B}M", "\na\n"),
        ("a\r\nb\r\nc\u{1B}[1;2r\u{1B}[2;1H\nx", "b\nx\nc"), ("日x\u{1B}[1;2Hy", " yx\n\n"),
        ("日x\u{1B}[1;1Hy", "y x\n\n"), ("abcd日", "abcd\n日\n"), ("e\u{301}x", "e\u{301}x\n\n"),
        ("a\u{1B}[?1049hb\u{1B}[?1049lc", "ac\n\n"), ("\u{1B}[1;38;5;32ma\u{1B}(B\u{1B}[m", "a\n\n"),
    ]

    @Test("a terminal snapshot shows text at the position where it was written")
    func shows() {
        for (written, expected) in Self.shown {
            let screen = screen(written)
            #expect(screen.text == expected, "\(written.debugDescription)")
            #expect(screen.unexpectedOutput.isEmpty, "\(written.debugDescription)")
        }
    }

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

    @Test("bytes that are not text are reported")
    func noise() {
        var screen = TerminalScreen(.xterm, columns: 5, rows: 1)
        screen.process([0x61, 0xFF, 0xC3, 0x28, 0x9B, 0x62])
        #expect(screen.unexpectedOutput.count == 3)
    }

    @Test("a new size keeps what fits")
    func resize() {
        var screen = screen("abcde\r\nfg")
        screen.resize(columns: 3, rows: 1)
        #expect(screen.text == "abc")
        screen.resize(columns: 4, rows: 2)
        screen.process("\u{1B}[2;1Hxyz".utf8)
        #expect(screen.text == "abc\nxyz")
    }
}
