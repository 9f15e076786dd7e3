import Glibc
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout
import Unix

/// A screen and its terminal.
@Suite(.serialized) struct ScreenTests {
    let terminal: PseudoTerminal
    let owner: ScreenOwner

    init() throws {
        terminal = try PseudoTerminal(columns: 40, rows: 6)
        owner = try ScreenOwner(of: terminal.terminal)
    }

    @Test("only changes of a frame are painted, and the end restores the modes")
    func paint() async throws {
        let before = try terminal.modes()
        try await owner.begin()
        try #expect(terminal.modes() != before)
        await owner.paint(Frame(lines: [Line("First joke", .bold), Line("Second joke")]))
        let first = try terminal.read(until: "Second joke")
        #expect(first.contains("First joke"))
        #expect(first.contains("\u{1B}[?1049h"))
        await owner.paint(Frame(lines: [Line("First joke", .bold), Line("Second thoughts")]))
        let second = try terminal.read(until: "thoughts")
        #expect(!second.contains("First"))
        await owner.end()
        _ = try terminal.read(until: "\u{1B}[?1049l")
        try #expect(terminal.modes() == before)
    }

    @Test("no control character of a text is written to the terminal")
    func hostile() async throws {
        try await owner.begin()
        await owner.paint(
            Frame(lines: [
                Line("a\u{1B}]52;c;aGk=\u{7}b"), Line("c\u{9B}6n\u{1B}[6nd"), Line("e\u{202E}f\u{2066}g"),
                Line("👩‍👩‍👧‍👦 fam"), Line("last"),
            ]))
        let written = try terminal.read(until: "last")
        for forbidden in ["\u{1B}]52", "\u{7}", "\u{9B}", "[6n\u{1B}", "\u{202E}", "\u{2066}", "\u{200D}"] {
            #expect(
                !written.unicodeScalars.contains(sequence: forbidden.unicodeScalars), "\(forbidden.debugDescription)")
        }
        #expect(written.contains("👩 fam"))
        await owner.end()
    }

    @Test("keys, a single escape, and a new size at SIGWINCH are reported")
    func events() async throws {
        try await owner.begin()
        try terminal.type("jé\u{1B}OB\u{1B}[6~\u{3}")
        for key in [Key.character("j"), .character("é"), .down, .pageDown, .control("c")] {
            #expect(try owner.events.take() == .input([.key(key)]))
        }
        try terminal.type("\u{1B}")
        try #expect(owner.events.take() == .input([.key(.escape)]))
        try terminal.resize(columns: 30, rows: 9)
        await owner.signal(SIGWINCH)
        try #expect(owner.events.take() == .resized(Size(columns: 30, rows: 9)))
        await owner.signal(SIGTERM)
        try #expect(owner.events.take() == .ended)
        await owner.end()
    }

    @Test("without colors, no color is written")
    func colorless() async throws {
        try await owner.begin(color: .never)
        await owner.paint(Frame(lines: [Line("Heading", Style(.bold, .heading)), Line("muted", .muted)]))
        let written = try terminal.read(until: "muted")
        #expect(!written.contains("[38;5") && !written.contains("[3"))
        await owner.end()
    }

    @Test("a file is not a terminal, and an unknown terminal type is refused by name")
    func refused() async throws {
        let pipe = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(pipe) }
        await #expect(throws: TerminalError.notATerminal) { try await owner.begin(output: pipe) }
        await #expect(throws: TerminalError.unfitTerminal(name: "no-such\u{1B}[31m", isKnown: false)) {
            try await owner.begin(type: "no-such\u{1B}[31m")
        }
        await #expect(throws: TerminalError.unfitTerminal(name: "dumb", isKnown: true)) {
            try await owner.begin(type: "dumb")
        }
        let words = TerminalError.unfitTerminal(name: "no-such\u{1B}[31m", isKnown: false).description
        #expect(words.contains("'no-such\u{FFFD}[31m'"))
    }
}

extension Collection where Element: Equatable {
    /// True if the elements are in the collection, in this order and without gaps.
    fileprivate func contains(sequence other: some Collection<Element>) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
