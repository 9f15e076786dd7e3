import Terminal
import TestSupport
import Testing

/// Pasted text is never keys, however a slow line splits it.
@Suite struct InputDecoderTests {
    /// Keys of ncurses, with their numbers.
    private static let known: [(text: String, number: UInt32)] = [
        ("\u{1B}[6~", 338), ("\u{1B}OB", 258),
    ]

    /// The codes of ncurses for characters without a pause: it decodes only complete sequences.
    private func codes(of piece: ArraySlice<Unicode.Scalar>) -> [InputCode] {
        var (codes, rest): ([InputCode], ArraySlice<Unicode.Scalar>) = ([], piece)
        while let first = rest.first {
            let sequence = Self.known.first { rest.starts(with: $0.text.unicodeScalars) }
            codes.append(InputCode(code: sequence?.number ?? first.value, isNumber: sequence != nil))
            rest = rest.dropFirst(sequence?.text.unicodeScalars.count ?? 1)
        }
        return codes
    }

    /// The decoded input of a text, with a pause before each of these characters.
    private func inputs(of text: String, pauses: [Int] = []) -> [Input] {
        let scalars = Array(text.unicodeScalars)
        var (decoder, inputs) = (InputDecoder(), [Input]())
        for (start, end) in zip([0] + pauses, pauses + [scalars.count]) {
            for code in codes(of: scalars[start..<end]) { inputs += decoder.decode(code) }
            inputs += decoder.flush()
        }
        return inputs
    }

    /// Every subset of these positions.
    private func choices(of places: Range<Int>) -> [[Int]] {
        (0..<1 << places.count).map { bits in places.filter { bits >> ($0 - places.lowerBound) & 1 == 1 } }
    }

    @Test("a paste ends at its end sequence, however it is split")
    func pasteEnds() {
        let text = "j\u{1B}[200~fq\u{1B}[201~k"
        let places = 7..<text.unicodeScalars.count
        for pauses in choices(of: places) {
            #expect(
                inputs(of: text, pauses: pauses) == [.key(.character("j")), .pasted("fq"), .key(.character("k"))],
                "\(pauses)")
        }
    }

    @Test("a paste whose start sequence is split still begins; only the characters before the split are keys")
    func pasteBegins() {
        let text = "j\u{1B}[200~fq\u{1B}[201~k"
        for pauses in choices(of: 1..<8) {
            var received = inputs(of: text, pauses: pauses)
            #expect(received.popLast() == .key(.character("k")) && received.popLast() == .pasted("fq"), "\(pauses)")
            let leaked: [Input] = [.key(.character("j")), .key(.escape)] + "[200".map { .key(.character($0)) }
            #expect(leaked.starts(with: received), "\(pauses)")
            if pauses.allSatisfy({ !(3..<7).contains($0) }) { #expect(received.count <= 2, "\(pauses)") }
        }
    }

    @Test("a mouse report is decoded however it is split")
    func mouse() {
        let text = "j\u{1B}[<0;31;5Mk"
        let click = Input.mouse(MouseEvent(.click, Position(column: 30, row: 4)))
        for pauses in choices(of: 1..<text.unicodeScalars.count) {
            var received = inputs(of: text, pauses: pauses)
            #expect(received.popLast() == .key(.character("k")) && received.popLast() == click, "\(pauses)")
            let leaked: [Input] = [.key(.character("j")), .key(.escape), .key(.character("["))]
            #expect(leaked.starts(with: received), "\(pauses)")
            if !pauses.contains(where: { [2, 3].contains($0) }) { #expect(received.count == 1, "\(pauses)") }
        }
    }

    @Test("an escape and the keys after it are returned at once")
    func keys() {
        #expect(inputs(of: "\u{1B}") == [.key(.escape)])
        let text = "\u{1B}[2x\u{1B}\u{1B}[6~\u{1B}OB"
        let keys: [Input] =
            [.key(.escape)] + "[2x".map { .key(.character($0)) } + [.key(.escape), .key(.pageDown), .key(.down)]
        #expect(inputs(of: text, pauses: [1, 2, 3, 4, 5, 9]) == keys)
        #expect(inputs(of: text, pauses: [1, 5]) == keys)
    }

    @Test("the end of a paste is found after more text than is kept, and after a partial end sequence")
    func longPaste() {
        let kept = String(repeating: "x", count: PastedText.maxCharacters)
        for extra in ["", "x", "\u{1B}[201", String(repeating: "y", count: 5_000) + "\u{1B}"] {
            let text = "\u{1B}[200~\(kept)\(extra)\u{1B}[201~q"
            let end = text.unicodeScalars.count - 1
            for cut in 1..<6 {
                #expect(
                    inputs(of: text, pauses: [end - cut]) == [.pasted(kept), .key(.character("q"))], "\(cut) \(extra)")
            }
        }
        #expect(
            inputs(of: "\u{1B}[200~a\u{1B}[20b\u{1B}\u{1B}[201~q", pauses: [7, 14])
                == [.pasted("a\u{FFFD}[20b\u{FFFD}"), .key(.character("q"))])
    }

    @Test("pasted random text is never keys, however it is split, and later input is")
    func property() throws {
        try checkProperty("pasted in pieces", maxSize: 30) { random, size in
            let alphabet = Array("\u{1B}\u{1B}[[2001~~<;Mqé\u{3}\r".unicodeScalars)
            let text = (0..<size).map { _ in alphabet[random.int(in: 0..<alphabet.count)] }
            let pauses = (7..<size + 13).filter { _ in random.chance(1, in: 3) }
            return (String(String.UnicodeScalarView(text)), pauses)
        } property: { (text, pauses) in
            // Sequences that would end or restart the paste are no text, in one piece or several.
            if ["0~", "1~"].contains(where: { text.contains("\u{1B}[20" + $0) }) { return }
            let received = inputs(of: "\u{1B}[200~\(text)\u{1B}[201~q", pauses: pauses)
            guard received.count == 2, case .pasted = received[0], received[1] == .key(.character("q")) else {
                throw BrokenProperty("\(text.debugDescription) paused at \(pauses) is read as \(received)")
            }
        }
    }
}
