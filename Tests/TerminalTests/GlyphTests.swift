import Terminal
import TestSupport
import Testing
import TextLayout

@Suite struct GlyphTests {
    private func painted(_ cluster: Character, width: (Unicode.Scalar) -> Int = { $0.columns }) -> String {
        glyphs(of: cluster, width: width).map { glyph in
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
        #expect(painted("日") { _ in -1 } == "\u{FFFD}| ")
        #expect(painted("a") { _ in -1 } == "\u{FFFD}")
        #expect(painted("☰") { _ in 1 } == "\u{FFFD}| ")
    }

    @Test("the glyphs of any text take exactly its columns")
    func property() throws {
        try checkProperty("glyphs", cases: 2000, maxSize: 30, generate: hostileText, shrink: shortenedTexts) { text in
            for cluster in sanitized(text) {
                let columns = glyphs(of: cluster) { $0.columns }.reduce(0) { $0 + $1.base.columns }
                try verify(columns == cluster.columns, "\(cluster.unicodeScalars.map(\.value)) takes \(columns)")
            }
        }
    }

    @Test("a line in ASCII has the same columns; a longer form takes blanks after it, up to the next rule")
    func ascii() {
        _ = adoptLocale()
        for (text, expected) in [
            ("é ’ “a” … •  │", "e ' \"a\" . +  |"), ("Straße…    │ x", "Strasse... | x"), ("ß│    ", "s|    "),
            ("日本  æ  ", "? ?   ae "), ("★ l →   h ←", "* l ->  h <"), ("╭─▾ Jokes·─╮", "+-v Jokes--+"),
            ("e\u{301} 1\u{FE0F}\u{20E3} 🦆", "e 1  ? "),
        ] {
            #expect(Line(text).written(in: .ascii).plainText == expected)
            #expect(Line(text).written(in: .ascii).columns == Line(text).columns)
        }
    }

    @Test("on the Linux console, accents and square rules stay, and other characters have their form in ASCII")
    func console() {
        _ = adoptLocale()
        for (text, expected) in [
            ("╭─┬─╮│├┤╰─┴─╯", "┌─┬─┐│├┤└─┴─┘"), ("★ ▸ ▾ ● ○ • ▐", "* > v * o • █"), ("“é’…    │ ‘ß’", "\"é'...  │ 'ß'"),
            ("« Ça ? » — ×· ↑↓←→", "« Ça ? » - ×· ↑↓←→"), ("日本  œ  ", "? ?   oe "),
        ] {
            #expect(Line(text).written(in: .console).plainText == expected)
        }
    }

    @Test("any line in ASCII or for the Linux console has the same columns, and in ASCII only printable characters")
    func asciiProperty() throws {
        _ = adoptLocale()
        try checkProperty("ascii", cases: 500, maxSize: 30, generate: hostileText, shrink: shortenedTexts) { text in
            let line = Line([Span(text, .bold), Span("\u{2502}"), Span(text), Span("   ")])
            let (ascii, console) = (line.written(in: .ascii), line.written(in: .console))
            for shown in [ascii, console] {
                try verify(shown.columns == line.columns, "\(shown.columns) of \(line.columns)")
            }
            try verify(ascii.plainText.utf8.allSatisfy { (0x20...0x7E).contains($0) }, ascii.plainText)
        }
    }
}
