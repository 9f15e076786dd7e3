import JokesCore
import TestSupport
import Testing

@Suite("Properties of clean text")
struct CleanTextPropertyTests {
    @Test("cleaning is idempotent")
    func clean() throws {
        try checkProperty(
            "clean text is clean", cases: 3_000, maxSize: 40, generate: textSoup, shrink: shorterTexts,
            property: { raw in
                let clean = cleanText(raw)
                try requireClean(clean)
                try verify(cleanText(clean).utf8.elementsEqual(clean.utf8), "cleaned again: \(clean.debugDescription)")
            })
    }

    @Test("cleaning keeps every word and removes every terminal sequence")
    func keepsWords() throws {
        try checkProperty(
            "words are kept", maxSize: 30,
            generate: { random, size in (0..<size).map { _ in TextPiece.random(&random) } },
            shrink: shorterLists,
            property: { pieces in
                let clean = cleanText(pieces.map(\.raw).joined())
                let words = clean.split { $0.isWhitespace }.map(String.init)
                let expected = pieces.map(\.shown).joined().split { $0.isWhitespace }.map(String.init)
                try verify(words == expected, "\(words) instead of \(expected)")
            })
    }

    /// The planes with characters, in parts, and the one with the tags. The planes between are unassigned.
    private static let ranges = [UInt32(0)...0x7FFF, 0x8000...0xFFFF, 0x1_0000...0x1_FFFF, 0xE_0000...0xE_1000]

    @Test("each scalar between two letters is cleaned by its Unicode properties", arguments: ranges)
    func everyScalar(range: ClosedRange<UInt32>) {
        for scalar in range.lazy.compactMap(Unicode.Scalar.init) where !isIntroducer(scalar) {
            let raw = "a\(scalar)b"
            let clean = cleanText(raw)
            if clean != expectation(raw, scalar) || !isComposed(clean) {
                Issue.record("U+\(String(scalar.value, radix: 16)) became \(clean.debugDescription)")
            }
        }
    }

    @Test("a letter keeps eight marks, with any hidden scalars between them")
    func marks() throws {
        try checkProperty(
            "heaps are bounded", cases: 500, maxSize: 40,
            generate: { random, size in
                (0..<size).map { _ in ["\u{33F}", "\u{20DD}", "\u{200B}", "\u{5B0}"][random.int(in: 0..<4)]
                }
            },
            shrink: shorterLists,
            property: { marks in
                let clean = cleanText("x" + marks.joined() + "y")
                try requireClean(clean)
                let kept = clean.unicodeScalars.count - 2
                let wanted = marks.count { $0 != "\u{200B}" }
                try verify(kept == min(8, wanted) && clean.hasSuffix("y"), "\(kept) kept of \(wanted)")
            })
    }

    @Test(
        "takes linear time even for adversarial texts",
        arguments: ["\u{1B}]x", "\u{9D}", "\u{1B}[1", "\u{1B}(", "\u{8}", "e\u{301}", "a\n\n", "é\u{200D}", " \n"])
    func linear(unit: String) {
        // In quadratic time, this would take minutes.
        let raw = String(repeating: unit, count: scaled(50_000, atLeast: 10_000))
        #expect(cleanText(raw).utf8.count <= raw.utf8.count)
    }
}

// MARK: Clean text

func requireClean(_ text: String) throws {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
        let name = "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)"
        try verify(scalar == "\n" || scalar.properties.generalCategory != .control, "control \(name)")
        try verify(!scalar.properties.isBidiControl, "bidirectional control \(name)")
        try verify(!scalar.properties.isNoncharacterCodePoint, "not a character: \(name)")
        if scalar.properties.isDefaultIgnorableCodePoint {
            try verify(index > 0 && !scalars[index - 1].properties.isWhitespace, "\(name) has no effect")
            try verify(isAllowedThoughUnseen(scalar), "invisible \(name)")
        }
    }
    try verify(isComposed(text), "not in composed form: \(text.debugDescription)")
    try requireTidyLines(scalars.split(separator: "\n", omittingEmptySubsequences: false))
}

private func isComposed(_ text: String) -> Bool {
    var bytes = text.utf8Span
    return bytes.checkForNFC(quickCheck: false)
}

private func isAllowedThoughUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let isTag = (0xE0020...0xE007F).contains(scalar.value)
    return scalar.properties.isVariationSelector || scalar.properties.isJoinControl || isTag
}

private func requireTidyLines(_ lines: [ArraySlice<Unicode.Scalar>]) throws {
    if lines.count == 1 && lines[0].isEmpty { return }
    try verify(lines.first?.isEmpty == false && lines.last?.isEmpty == false, "an empty line at an end")
    try verify(!zip(lines, lines.dropFirst()).contains { $0.isEmpty && $1.isEmpty }, "two empty lines in a row")
    try verify(!lines.contains { $0.last?.properties.isWhitespace == true }, "a blank at the end of a line")
    try verify(lines.contains { $0.first?.properties.isWhitespace == false }, "common indentation")
}

private func isIntroducer(_ scalar: Unicode.Scalar) -> Bool {
    // These change the text after them; `CleanTextTests` has an example of each.
    scalar == "\u{8}" || scalar == "\u{1B}" || scalar == "\u{9B}"
}

private func expectation(_ raw: String, _ scalar: Unicode.Scalar) -> String {
    let properties = scalar.properties
    switch scalar {
    case "\t": return "a       b"
    case "\u{A}"..."\u{D}", "\u{2028}", "\u{2029}": return "a\nb"
    case "\u{FFF9}"..."\u{FFFB}": return "ab"
    // Of windows-1252, which has them in place of C1 controls.
    case "\u{80}"..."\u{9F}":
        let meant = windows1252Scalar(UInt8(scalar.value))
        return ("\u{2010}"..."\u{203A}").contains(meant) ? "a\(meant)b" : "ab"
    default: break
    }
    let isUnseen = properties.isDefaultIgnorableCodePoint || properties.isBidiControl
    let isNothing = properties.generalCategory == .control || properties.isNoncharacterCodePoint
    return isUnseen || isNothing ? "ab" : raw
}
