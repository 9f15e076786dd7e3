import CommandLineTools
import TestSupport
import Testing

@Suite struct LiveLinesTests {
    @Test(
        "a terminal shows the finished lines in order, and below them the current text of each other line")
    func terminal() throws {
        var random = SplitMix64(seed: testSeed)
        for round in 0..<scaled(300) {
            let area = LiveLines.Area(columns: 30, rows: 40)
            var lines = LiveLines(on: area)
            var screen = TerminalScreen(.xterm, columns: area.columns, rows: area.rows)
            var (done, filling) = ([String](), [(key: String, text: String)]())
            for step in 0..<20 {
                let key = "source\(random.int(in: 0..<6))"
                let text = "\(key): \(step) " + String(repeating: "x", count: random.int(in: 0..<40))
                let bytes: String
                if random.chance(1, in: 4) {
                    bytes = lines.finish(key, with: String(text.prefix(20)))
                    done.append(String(text.prefix(20)))
                    filling.removeAll { $0.key == key }
                } else {
                    bytes = lines.update(key, to: text)
                    let shown = String(text.prefix(29))
                    if let index = filling.firstIndex(where: { $0.key == key }) {
                        filling[index].text = shown
                    } else {
                        filling.append((key, shown))
                    }
                }
                // The terminal driver adds a carriage return to each line feed.
                screen.process(Array(bytes.replacing("\n", with: "\r\n").utf8))
            }
            let expected = (done + filling.map(\.text)).map { line in
                String(line.reversed().drop { $0 == " " }.reversed())
            }
            let shown = screen.text.split(separator: "\n").map(String.init)
            #expect(shown == expected, "round \(round), JOKESD_TEST_SEED=\(testSeed)")
        }
    }

    @Test("a terminal shows only as many unfinished lines as fit, and a long final text is not cut off")
    func small() {
        var lines = LiveLines(on: LiveLines.Area(columns: 10, rows: 3))
        var screen = TerminalScreen(.xterm, columns: 10, rows: 3)
        for number in 0..<8 {
            screen.process(Array(lines.update("\(number)", to: "line \(number)").replacing("\n", with: "\r\n").utf8))
        }
        #expect(screen.text == "line 6\nline 7\n")
        #expect(lines.finish("7", with: String(repeating: "e", count: 40)).contains(String(repeating: "e", count: 40)))
    }

    @Test("without a terminal, a line is written once, when it is finished, as plain text")
    func pipe() {
        var lines = LiveLines(on: nil)
        #expect(lines.update("a", to: "a: 1") == "")
        #expect(lines.update("b", to: "b: 1") == "")
        #expect(lines.finish("a", with: "a: done") == "a: done\n")
        #expect(lines.finish("b", with: "b: done") == "b: done\n")
    }
}
