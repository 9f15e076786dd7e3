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

    @Test("the end does not wait for replies of a terminal that has hung up")
    func hungUp() async throws {
        try await owner.begin()
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(nothing, terminal.controller)
        close(nothing)
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
