import Glibc
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout
import Unix

@Suite struct MouseReportTests {
    @Test(
        "a report has the button and the cell, from 0",
        arguments: [
            ("0;1;1M", MouseEvent(.click, Position(column: 0, row: 0))),
            ("0;300;7M", MouseEvent(.click, Position(column: 299, row: 6))),
            ("64;3;4M", MouseEvent(.wheelUp, Position(column: 2, row: 3))),
            ("65;3;4M", MouseEvent(.wheelDown, Position(column: 2, row: 3))),
            ("20;3;4M", MouseEvent(.click, Position(column: 2, row: 3))),
            ("0;3;4m", nil), ("2;3;4M", nil), ("32;3;4M", nil), ("0;0;4M", nil), ("0;3M", nil),
            ("0;1;99999999999999999999M", nil), ("M", nil),
            (";;M", nil),
        ])
    func reports(text: String, event: MouseEvent?) {
        var decoder = InputDecoder()
        let inputs = "\u{1B}[<\(text)".unicodeScalars.compactMap { decoder.decode($0) }
        #expect(inputs == (event.map { [.mouse($0)] } ?? []))
    }
}

extension ScreenTests {
    @Test("clicks and wheel steps keep their order among keys, even if a report is split")
    func mouse() async throws {
        try await owner.begin()
        try terminal.type("j\u{1B}[<0;31;5Mk\u{1B}[<0;31;5m\u{1B}[<65;1;1M")
        #expect(try owner.events.take() == .input([.key(.character("j"))]))
        #expect(try owner.events.take() == .input([.mouse(MouseEvent(.click, Position(column: 30, row: 4)))]))
        #expect(try owner.events.take() == .input([.key(.character("k"))]))
        #expect(try owner.events.take() == .input([.mouse(MouseEvent(.wheelDown, Position(column: 0, row: 0)))]))
        try terminal.type("\u{1B}[<64;2")
        // A frame that is painted meanwhile changes nothing of it.
        await owner.paint(Frame(lines: [Line("between")]))
        _ = try terminal.read(until: "between")
        try terminal.type("50;1Mq")
        #expect(try owner.events.take() == .input([.mouse(MouseEvent(.wheelUp, Position(column: 249, row: 0)))]))
        #expect(try owner.events.take() == .input([.key(.character("q"))]))
        await owner.end()
    }
}
