import Glibc
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

@Suite struct PastedTextTests {
    private func line(of text: String) -> String {
        var pasted = PastedText()
        for scalar in text.unicodeScalars where pasted.append(scalar) { break }
        return pasted.line
    }

    @Test(
        "pasted text becomes one line without control characters",
        arguments: [
            ("a duck", "a duck"), ("one\r\ntwo\rthree\n", "one two three"), ("\n\n", ""), ("a\tb", "a b"),
            ("it\u{1B}[201~q", "it"), ("x\u{1B}[31my\u{7}", "x\u{FFFD}[31my\u{FFFD}"), ("日本語 e\u{301}", "日本語 e\u{301}"),
        ])
    func lines(text: String, line: String) {
        #expect(self.line(of: text) == line)
    }
}

extension ScreenTests {
    @Test("pasted text keeps its order among keys, and is never keys, however it is split")
    func paste() async throws {
        try await owner.begin()
        try terminal.type("j\u{1B}[200~quit: q\r\u{1B}[6~\u{1B}[<0;1;1M\u{3}é\u{1B}[201~k")
        #expect(try owner.events.take() == .input([.key(.character("j"))]))
        #expect(try owner.events.take() == .input([.pasted("quit: q \u{FFFD}[6~\u{FFFD}[<0;1;1M\u{FFFD}é")]))
        #expect(try owner.events.take() == .input([.key(.character("k"))]))
        try terminal.type("\u{1B}[200~one")
        await owner.paint(Frame(lines: [Line("between")]))
        _ = try terminal.read(until: "between")
        try terminal.type(" two\u{1B}[201~")
        #expect(try owner.events.take() == .input([.pasted("one two")]))
        // An end without a beginning is nothing.
        try terminal.type("\u{1B}[201~x")
        #expect(try owner.events.take() == .input([.key(.character("x"))]))
        // The end in two pieces, with a pause after which an escape would be the key.
        try terminal.type("\u{1B}[200~x\u{1B}")
        try await waitUntil("it was read") {
            var count: Int32 = 0
            return ioctl(terminal.terminal, UInt(FIONREAD), &count) == 0 && count == 0
        }
        await owner.paint(Frame(lines: [Line("after the pause")]))
        try terminal.type("[201~q")
        #expect(try owner.events.take() == .input([.pasted("x")]))
        #expect(try owner.events.take() == .input([.key(.character("q"))]))
        await owner.end()
    }

    @Test("mouse reports and bracketed paste are enabled and disabled, unless the user or the terminal does without")
    func modes() async throws {
        for (type, usesMouse, hasMouse, hasPaste) in [
            ("xterm-256color", true, true, true), ("tmux", false, false, true), ("vt52", true, false, false),
        ] {
            try await owner.begin(type: type, usesMouse: usesMouse)
            await owner.paint(Frame(lines: [Line("shown")]))
            let start = try terminal.read(until: "shown")
            #expect(
                start.contains("\u{1B}[?1000h\u{1B}[?1006h") == hasMouse && start.contains("\u{1B}[?2004h") == hasPaste)
            await owner.leave()
            try await owner.ring()
            let end = try terminal.read(until: "\u{7}")
            #expect(end.contains("\u{1B}[?1006l\u{1B}[?1000l") == hasMouse && end.contains("\u{1B}[?2004l") == hasPaste)
        }
        await owner.end()
    }
}
