import Terminal
import TestSupport
import Testing
import TextLayout

@Suite struct GlyphTests {
    private func painted(_ cluster: Character, width: (Unicode.Scalar) -> Int = { $0.columns }) -> String {
        glyphs(of: cluster, replacement: "?", width: width).map { glyph in
            String(String.UnicodeScalarView([glyph.base] + glyph.marks))
        }.joined(separator: "|")
    }

    @Test(
        "a sequence with a disputed width is painted as its first emoji, with spaces up to the width",
        arguments: [
            ("👩‍👩‍👧‍👦", "👩"), ("👍🏽", "👍"), ("❤️", "❤| "), ("1️⃣", "1\u{20E3}| "), ("🇩🇪", "🇩|🇪"), ("☕️", "☕"),
        ] as [(Character, String)])
    func sequences(cluster: Character, expected: String) {
        #expect(painted(cluster) == expected)
    }

    @Test("combining marks share the cell of their base")
    func marks() {
        #expect(painted("e\u{301}\u{302}") == "e\u{301}\u{302}")
        #expect(painted(Character("क्षि" as String)) == "क\u{94D}|ष|\u{93F}")
        #expect(painted("日") == "日")
    }

    @Test("a character with another width in the C library is replaced in the same columns")
    func unknown() {
        #expect(painted("日") { _ in -1 } == "?| ")
        #expect(painted("a") { _ in -1 } == "?")
        #expect(painted("☰") { _ in 1 } == "?| ")
    }

    @Test("the glyphs of any text take exactly its columns")
    func property() throws {
        try checkProperty("glyphs", cases: 2000, maxSize: 30, generate: hostileText, shrink: shortenedTexts) { text in
            for cluster in sanitized(text) {
                let columns = glyphs(of: cluster, replacement: "?") { $0.columns }.reduce(0) { $0 + $1.base.columns }
                try verify(columns == cluster.columns, "\(cluster.unicodeScalars.map(\.value)) takes \(columns)")
            }
        }
    }

    @Test("each symbol of the viewer has a form in ASCII, and letters have none")
    func symbols() {
        for symbol: Character in ["★", "•", "▸", "▾", "…", "—", "─", "│", "←", "↑", "→", "↓"] {
            #expect(asciiSymbol(for: symbol)?.isASCII == true && symbol.columns == 1, "\(symbol)")
        }
        for letter: Character in ["é", "日", "😀", "\u{FFFD}"] { #expect(asciiSymbol(for: letter) == nil) }
    }
}
