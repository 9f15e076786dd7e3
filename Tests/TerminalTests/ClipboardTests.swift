import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

@Suite struct ClipboardTests {
    @Test(
        "TERM shows which terminals lack a clipboard, and variables distinguish screen from tmux",
        arguments: [
            ("xterm-256color", [:], nil), ("tmux-256color", [:], nil), ("foot", ["STY": "1.pts"], nil),
            ("linux", [:], .console), ("linux-16color", ["TMUX": "/tmp/tmux"], .console),
            ("screen-256color", ["TMUX": "/tmp/tmux"], nil), ("screen", ["TMUX": "/tmp/tmux", "STY": ""], nil),
            ("screen", ["STY": "1.pts"], .screen), ("screen.xterm-256color", [:], .screen),
            ("screen-256color", [:], .screenOrTmux), ("screen", ["TMUX": ""], .screenOrTmux),
            ("screen", ["TMUX": "/tmp/tmux", "STY": "1.pts"], .screenOrTmux),
        ] as [(String, [String: String], ClipboardRefusal?)])
    func kinds(type: String, variables: [String: String], refusal: ClipboardRefusal?) {
        #expect(ClipboardRefusal(type: type, hasMouse: true) { variables[$0] } == refusal)
    }

    @Test("a terminal without a mouse in terminfo is not similar to xterm")
    func otherKind() {
        #expect(ClipboardRefusal(type: "vt220", hasMouse: false) { _ in nil } == .otherKind)
    }
}

extension ScreenTests {
    @Test("text is copied by OSC 52 to terminals similar to xterm, and nothing is written to others")
    func clipboard() async throws {
        try await owner.begin()
        #expect(try await owner.copy(base64: "SMOpIRsK") == nil)
        #expect(try terminal.read(until: "\u{7}").hasSuffix("\u{1B}]52;c;SMOpIRsK\u{7}"))
        await owner.leave()
        for (type, refusal) in [("vt52", ClipboardRefusal.otherKind), ("linux", .console)] {
            try await owner.begin(type: type)
            #expect(try await owner.copy(base64: "SGkh") == refusal)
            await owner.paint(Frame(lines: [Line("shown")]))
            #expect(try !terminal.read(until: "shown").contains("]52"))
            await owner.leave()
        }
        await owner.end()
    }
}
