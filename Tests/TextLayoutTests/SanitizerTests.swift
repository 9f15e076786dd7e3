import TestSupport
import Testing
import TextLayout

@Suite struct SanitizerTests {
    @Test(
        "nothing that a terminal obeys gets through",
        arguments: [
            ("\u{1B}[31mred", "\u{FFFD}[31mred"),
            ("\u{1B}]52;c;aGk=\u{7}", "\u{FFFD}]52;c;aGk=\u{FFFD}"),
            ("\u{9B}6n", "\u{FFFD}6n"),
            ("a\u{202E}b\u{2066}c\u{2069}d\u{200E}e\u{61C}f", "abcdef"),
            ("bell\u{7} del\u{7F} nul\u{0}", "bell\u{FFFD} del\u{FFFD} nul\u{FFFD}"),
            ("a\tb\nc\r\nd\u{2028}e\u{85}f", "a b c  d e f"),
            ("zero\u{200B}width\u{FEFF} soft\u{AD}hyphen \u{115F}\u{3164}\u{2060}", "zerowidth softhyphen "),
            ("\u{FFFE}\u{10FFFF}\u{378}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{E0061}tag\u{E0100}", "tag"),
        ])
    func hostile(text: String, safe: String) {
        #expect(sanitized(text) == safe)
        #expect(Span(text).text == safe)
        #expect(Line(text).plainText == safe)
    }

    @Test(
        "what gives text its shape stays",
        arguments: [
            "Why? Because.", "naïve Ünïcödé", "日本語", "👩‍👩‍👧‍👦 👍🏽 🇩🇪 ❤️ 1️⃣ ❤️‍🔥", "می‌خواهم", "क्ष क्‍ष", "שלום", "e\u{301}\u{302}",
            "\u{E000}\u{F8F3}",
        ])
    func harmless(text: String) {
        #expect(sanitized(text) == text)
    }

    @Test("joiners stay only between characters that can be joined")
    func joiners() {
        #expect(sanitized("a\u{200D}b\u{200C}c") == "abc")
        #expect(sanitized("\u{200D}👩\u{200D}") == "👩")
        #expect(sanitized("👩\u{200D}\u{200D}👩") == "👩\u{200D}👩")
    }

    @Test("the number of marks is limited, and marks without a character are removed")
    func heaps() {
        let heap = String(repeating: "\u{301}\u{316}", count: 500)
        #expect(Array(sanitized("Z" + heap + "!").unicodeScalars).count == 6)
        #expect(sanitized("Z" + heap + "!").columns == 2)
        #expect(sanitized("\u{301}a") == "a")
        #expect(sanitized("x\u{FE0F}") == "x")
    }

    @Test("sanitized text is safe, and sanitizing is idempotent")
    func property() throws {
        try checkProperty("sanitized", cases: 3000, maxSize: 40, generate: hostileText, shrink: shortenedTexts) {
            text in
            let safe = sanitized(text)
            try verify(
                sanitized(safe).unicodeScalars.elementsEqual(safe.unicodeScalars),
                "not idempotent: \(safe.debugDescription)")
            for scalar in safe.unicodeScalars {
                let category = scalar.properties.generalCategory
                let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
                try verify(
                    isJoiner
                        || ![.control, .format, .lineSeparator, .paragraphSeparator, .unassigned].contains(category),
                    "let U+\(String(scalar.value, radix: 16)) through")
            }
        }
    }

    @Test("a tracked offset is the length of the sanitized text before it")
    func places() throws {
        #expect(sanitized("a duck", tracking: [2, 6]) == ("a duck", [2, 6]))
        #expect(sanitized("é\u{1B}\u{200B}x", tracking: [0, 2, 3, 6, 7]) == ("é\u{FFFD}x", [0, 2, 5, 5, 6]))
        try checkProperty("tracking", cases: 1000, maxSize: 40, generate: hostileText, shrink: shortenedTexts) { text in
            let scalars = Array(text.unicodeScalars)
            let starts = (0...scalars.count).map { String(String.UnicodeScalarView(scalars[..<$0])) }
            let (shown, found) = sanitized(text, tracking: starts.map(\.utf8.count))
            try verify(shown == sanitized(text), "another text of \(text.debugDescription)")
            for (start, place) in zip(starts, found) {
                // A joiner depends on the next scalar.
                if let last = start.unicodeScalars.last, ["\u{200C}", "\u{200D}"].contains(last) { continue }
                try verify(sanitized(start).utf8.count == place, "\(start.debugDescription) ends at \(place)")
            }
        }
    }
}
