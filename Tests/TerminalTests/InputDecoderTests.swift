import Terminal
import TestSupport
import Testing

/// Unknown sequences and pasted text are never keys, however a slow line splits them.
@Suite struct InputDecoderTests {
    /// The decoded input of a text, with a pause before each of these characters, and one at the end.
    private func inputs(of text: String, pauses: [Int] = []) -> [Input] {
        let scalars = Array(text.unicodeScalars)
        var (decoder, inputs) = (InputDecoder(), [Input]())
        for (start, end) in zip([0] + pauses, pauses + [scalars.count]) {
            inputs += scalars[start..<end].compactMap { decoder.decode($0) }
            if decoder.isWaiting, let input = decoder.pause() { inputs.append(input) }
        }
        return inputs
    }

    private func keys(_ text: String) -> [Input] { text.map { .key(.character($0)) } }

    /// Each of these positions alone, and subsets of them: every one in the slow tier.
    private func choices(of places: Range<Int>) -> [[Int]] {
        let count = 1 << places.count
        var random = SplitMix64(seed: testSeed)
        let subsets = (0..<scaled(count)).map { isSlowTier ? $0 % count : random.int(in: 0..<count) }
        return places.map { [$0] }
            + subsets.map { bits in places.filter { bits >> ($0 - places.lowerBound) & 1 == 1 } }
    }

    @Test(
        "an unknown sequence does nothing, and the key after it is a key",
        arguments: [
            // Keys with modifiers, releases of keys, and keys that no terminal has.
            "\u{1B}[1;4A", "\u{1B}[3;5~", "\u{1B}[7$", "\u{1B}[97;9u", "\u{1B}[97;1:3u", "\u{1B}[57441u", "\u{1B}[999~",
            "\u{1B}[[F", "\u{1B}Oz", "\u{1B}O6S", "\u{1B}O1;9H", "\u{1B}[2x", "\u{1B}\u{7F}", "\u{1B}[57420u",
            // Replies of the terminal: its name, colors, attributes, position, focus, flags and modes.
            "\u{1B}P>|foot(1.16.2)\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}",
            "\u{1B}]11;rgb:00/00/00\u{1B}\\", "\u{1B}[?62;4;22c", "\u{1B}[>41;354;0c", "\u{1B}[12;40R", "\u{1B}[I",
            "\u{1B}[O", "\u{1B}[?1u", "\u{1B}[?2026;2$y", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^Hf\u{1B}\\",
            // Mouse reports: the first form of xterm, and other buttons.
            "\u{1B}[M #f", "\u{1B}[M #$", "\u{1B}[M #5", "\u{1B}[<2;10;10M", "\u{1B}[<0;10;10m", "\u{1B}[<35;10m",
            "\u{1B}[201~",
        ])
    func unknown(text: String) {
        #expect(inputs(of: text + "j") == keys("j"))
    }

    @Test("a string that does not end, such as Alt+P begins, swallows no more than one burst of keys")
    func unended() {
        for introducer in ["P", "]", "_", "^", "X"] {
            let alt = Input.key(.alt(Character(introducer)))
            #expect(inputs(of: "\u{1B}\(introducer)jk", pauses: [2]) == [alt] + keys("jk"))
            #expect(inputs(of: "\u{1B}\(introducer)jkl", pauses: [3, 4]) == keys("l"))
            #expect(inputs(of: "\u{1B}\(introducer)rgb:ff/ff\u{7}l", pauses: [6]) == keys("l"))
        }
    }

    @Test("an escape is the Escape key only before a pause")
    func escape() {
        #expect(inputs(of: "\u{1B}") == [.key(.escape)])
        #expect(inputs(of: "\u{1B}\u{1B}") == [.key(.escape)])
        #expect(inputs(of: "\u{1B}j", pauses: [1]) == [.key(.escape)] + keys("j"))
        #expect(inputs(of: "\u{1B}j") == [.key(.alt("j"))])
        #expect(inputs(of: "\u{1B}[j", pauses: [1, 2]) == [.key(.escape)] + keys("[j"))
        #expect(inputs(of: "\u{1B}[A", pauses: [1]) == [.key(.escape), .key(.up)])
        #expect(inputs(of: "\u{1B}[1;2Aj", pauses: [2, 3, 5]) == [.key(.up)] + keys("j"))
        #expect(inputs(of: "\u{1B}O", pauses: []) == [.key(.alt("O"))])
    }

    @Test(
        "a paste and a mouse report are decoded however they are split; only an escape before a pause is a key",
        arguments: [
            ("\u{1B}[200~fq\u{1B}[201~", Input.pasted("fq")),
            ("\u{1B}[<0;31;5M", .mouse(MouseEvent(.click, Position(column: 30, row: 4)))),
        ])
    func splits(sequence: String, input: Input) {
        let text = "j\(sequence)k"
        // Both splits together are two presses.
        for pauses in choices(of: 1..<text.unicodeScalars.count) where !(pauses.contains(2) && pauses.contains(3)) {
            let escape: [Input] = pauses.contains(2) ? [.key(.escape)] : []
            #expect(inputs(of: text, pauses: pauses) == keys("j") + escape + [input] + keys("k"), "\(pauses)")
        }
    }

    @Test("the end of a paste is found after more text than is kept, and after a partial end sequence")
    func longPaste() {
        let kept = String(repeating: "x", count: PastedText.maxCharacters)
        for extra in ["", "x", "\u{1B}[201", String(repeating: "y", count: 5_000) + "\u{1B}"] {
            let text = "\u{1B}[200~\(kept)\(extra)\u{1B}[201~q"
            let end = text.unicodeScalars.count - 1
            for cut in 1..<6 {
                #expect(inputs(of: text, pauses: [end - cut]) == [.pasted(kept)] + keys("q"), "\(cut) \(extra)")
            }
        }
        #expect(
            inputs(of: "\u{1B}[200~a\u{1B}[20b\u{1B}\u{1B}[201~q", pauses: [7, 14])
                == [.pasted("a\u{FFFD}[20b\u{FFFD}")] + keys("q"))
    }

    @Test("pasted random text is never keys, however it is split, and later input is")
    func pasteProperty() throws {
        try checkProperty("pasted in pieces", maxSize: 30) { random, size in
            let alphabet = Array("\u{1B}\u{1B}[[2001~~<;Mqé\u{3}\r".unicodeScalars)
            let text = (0..<size).map { _ in alphabet[random.int(in: 0..<alphabet.count)] }
            let pauses = (7..<size + 13).filter { _ in random.chance(1, in: 3) }
            return (String(String.UnicodeScalarView(text)), pauses)
        } property: { (text, pauses) in
            // An end sequence in the text ends the paste.
            if text.contains("\u{1B}[201~") { return }
            let received = inputs(of: "\u{1B}[200~\(text)\u{1B}[201~q", pauses: pauses)
            guard received.count == 2, case .pasted = received[0], received[1] == .key(.character("q")) else {
                throw BrokenProperty("\(text.debugDescription) paused at \(pauses) is read as \(received)")
            }
        }
    }

    @Test("no character right after an escape or within a sequence is a key of its own")
    func property() throws {
        let letters = Set("fHqudreN")
        try checkProperty("random sequences", maxSize: 12) { random, size in
            let alphabet = Array("[[O]PX^_\\;:?<>=0123456789$~fHqudreN\u{7}".unicodeScalars)
            return (0..<random.int(in: 1..<4)).map { _ -> [Unicode.Scalar] in
                ["\u{1B}"] + (0..<size).map { _ in alphabet[random.int(in: 0..<alphabet.count)] }
            }
        } property: { sequences in
            for sequence in sequences {
                // Up to the final character of ECMA-48, or the dollar sign of rxvt, which this finds in its own way.
                let text = String(String.UnicodeScalarView(sequence))
                guard
                    let end = text.firstMatch(
                        of: /^\u{1B}(\[[0-9]+\$|\[[\x20-\x3F]*[\x40-\x5A\x5C-\x7E]|O.|[fHqudreN])/)?.range
                        .upperBound
                else {
                    continue
                }
                let received = inputs(of: String(text[..<end]))
                let pressed = received.contains { input in
                    if case .key(.character(let character)) = input { letters.contains(character) } else { false }
                }
                try verify(received.count <= 1 && !pressed, "\(text.debugDescription) is read as \(received)")
            }
        }
    }
}
