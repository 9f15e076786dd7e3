import JokesCore
import Testing

@Suite("Clean text")
struct CleanTextTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let raw: String
        let clean: String
        let testDescription: String

        init(_ what: String, _ raw: String, _ clean: String) {
            testDescription = what
            self.raw = raw
            self.clean = clean
        }
    }

    static let overstrikes = [
        Example("bold", "x\u{8}x", "x"),
        Example("underline before the letter", "_\u{8}x", "x"),
        Example("underline after the letter", "x\u{8}_", "x"),
        Example("a bold word", "Y\u{8}Ye\u{8}es\u{8}s.", "Yes."),
        Example("an underline over a whole word", "word\u{8}\u{8}\u{8}\u{8}____!", "word!"),
        Example("a word over its underline", "____\u{8}\u{8}\u{8}\u{8}word!", "word!"),
        Example("a correction", "cat\u{8}r", "car"),
        Example("a final backspace", "cat\u{8}", "cat"),
        Example("a backspace at the start of a line", "a\n\u{8}\u{8}b", "a\nb"),
        Example("an accented letter", "e\u{301}\u{8}e\u{301}t\u{8}t\u{e9}", "\u{e9}t\u{e9}"),
        Example("an underline under an underline", "_\u{8}_", "_"),
    ]

    static let terminalSequences = [
        Example("color", "\u{1B}[1;31mred\u{1B}[0m", "red"),
        Example("a request for the cursor position", "a\u{1B}[6nb", "ab"),
        Example("a private mode", "a\u{1B}[?1049hb", "ab"),
        Example("intermediate bytes", "a\u{1B}[0 qb", "ab"),
        Example("C1 CSI", "a\u{9B}2Jb", "ab"),
        Example("OSC 52, ended by BEL", "a\u{1B}]52;c;cm0gLXJm\u{7}b", "ab"),
        Example("OSC 52, ended by ST", "a\u{1B}]52;c;cm0gLXJm\u{1B}\\b", "ab"),
        Example("OSC 52, all in C1", "a\u{9D}52;c;cm0gLXJm\u{9C}b", "ab"),
        Example("OSC 8, a link", "\u{1B}]8;;http://evil.example\u{1B}\\here\u{1B}]8;;\u{1B}\\", "here"),
        Example("a title", "\u{1B}]0;owned\u{7}joke", "joke"),
        Example("DCS", "a\u{1B}P1$r0m\u{1B}\\b", "ab"),
        Example("C1 DCS", "a\u{90}q#0\u{9C}b", "ab"),
        Example("APC, PM and SOS", "a\u{1B}_x\u{1B}\\b\u{1B}^y\u{1B}\\c\u{1B}Xz\u{1B}\\d", "abcd"),
        Example("a character set", "a\u{1B}(0b", "ab"),
        Example("a reset", "a\u{1B}cb", "ab"),
        Example("a sequence after ESC", "a\u{1B}\u{1B}[31mb", "ab"),
        Example("a payload with letters of every kind", "a\u{1B}]0;é笑🎭\u{7}b", "ab"),
    ]

    static let brokenOff = [
        Example("ESC at the end", "text\u{1B}", "text"),
        Example("CSI at the end", "text\u{1B}[", "text"),
        Example("CSI before a line end", "text\u{1B}[12\nmore", "text12\nmore"),
        Example("OSC at the end", "text\u{1B}]52;c;cm0g", "text52;c;cm0g"),
        Example("OSC before a line end", "text\u{1B}]0;title\nmore\u{7}", "text0;title\nmore"),
        Example("OSC before another sequence", "a\u{1B}]0;b\u{1B}[0mc\u{7}d", "a0;bcd"),
        Example("an invalid character set", "a\u{1B}(é", "a(é"),
        Example("C1 OSC", "a\u{9D}still here", "astill here"),
        Example("a C1 CSI without parameters, which is a quotation mark", "\u{8B}a\u{9B} m", "‹a› m"),
    ]

    static let lines = [
        Example("CRLF", "a\r\nb", "a\nb"),
        Example("CR alone", "a\rb", "a\nb"),
        Example("the other line ends", "a\u{B}b\u{C}c\u{2028}d\u{2029}e", "a\nb\nc\nd\ne"),
        Example("a tab", "a\tb", "a       b"),
        Example("a table", "id\tname\tage\n12345678\tx\t9", "id      name    age\n12345678        x       9"),
        Example("a tab after wide letters and emoji", "笑い\tx\n👩🏽‍💻\tx", "笑い    x\n👩🏽‍💻      x"),
        Example("a tab after marks and invisible scalars", "e\u{323}\u{301}\u{1B}[1m\u{200B}\tx", "ẹ\u{301}       x"),
        Example("a tab and spaces", "if:\n  \tlaugh\n\tcry", "if:\n        laugh\n        cry"),
        Example("common indentation with a tab", "\ta\n\t\tb\n        c", "a\n        b\nc"),
        Example("trailing blanks", "a  \nb\t\u{A0}\nc ", "a\nb\nc"),
        Example("empty lines at both ends", "\n\r\n  \na\n \n\n", "a"),
        Example("two empty lines in a row", "a\n\n\nb\n\nc", "a\n\nb\n\nc"),
        Example("one trailing blank", "a \nb", "a\nb"),
        Example("several empty lines in a row", "a\n\n\n \n\nb\n\nc", "a\n\nb\n\nc"),
        Example("indentation of the only line", "   a", "a"),
        Example("common indentation", "  a\n\n    b\n  c", "a\n\n  b\nc"),
        Example("ASCII art", "\n   /\\_/\\\n  ( o.o )\n   > ^ <\n", " /\\_/\\\n( o.o )\n > ^ <"),
        Example("only blanks", " \t\n \u{3000}", ""),
        Example("nothing", "", ""),
    ]

    static let unseen = [
        Example("C0 and DEL", "a\u{0}b\u{1}c\u{E}d\u{1F}e\u{7F}f", "abcdef"),
        Example("C1", "a\u{80}b\u{99}c", "abc"),
        Example("a backspace", "kettle\u{8} blush", "kettle blush"),
        Example("bidirectional overrides", "a\u{202E}b\u{202D}c\u{202C}d", "abcd"),
        Example(
            "embeddings and isolates", "a\u{202A}b\u{202B}c\u{2066}d\u{2067}e\u{2068}f\u{2069}", "abcdef"),
        Example("zero width", "a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e", "abcde"),
        Example("a byte order mark", "\u{FEFF}a", "a"),
        Example("joiners without letters to join", "a\u{200D}b\u{200C}c \u{200D}é\u{200D}", "abc é"),
        Example("bytes hidden in variation selectors", "é\u{FE00}\u{FE01}\u{E0100}\u{E0101}x\u{FE0F}", "é\u{FE00}x"),
        Example("ASCII hidden in tags", "a\u{E0041}\u{E0042}b", "ab"),
        Example("annotations", "a\u{FFF9}b\u{FFFA}c\u{FFFB}d", "abcd"),
    ]

    static let kept = [
        Example(
            "letters of many scripts", "Ünï — Шутка, 笑い話, 농담, בדיחה, نكتة", "Ünï — Шутка, 笑い話, 농담, בדיחה, نكتة"),
        Example("an emoji of several people", "👩‍👩‍👧‍👦 laughs", "👩‍👩‍👧‍👦 laughs"),
        Example("emoji with selector, joiner and skin", "🏳️‍🌈 ❤️‍🔥 👩🏽‍💻", "🏳️‍🌈 ❤️‍🔥 👩🏽‍💻"),
        Example("a keycap", "1️⃣ #️⃣", "1️⃣ #️⃣"),
        Example("the flag of Scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿!", "🏴󠁧󠁢󠁳󠁣󠁴󠁿!"),
        Example("Persian's joiner", "می\u{200C}خواهم", "می\u{200C}خواهم"),
        Example("Hindi's joiner", "क्\u{200D}ष", "क्\u{200D}ष"),
        Example("marks without a composed letter", "x\u{301}\u{323}", "x\u{323}\u{301}"),
        Example("a letter and its mark, composed", "cafe\u{301}", "caf\u{E9}"),
        Example("a mark after an invisible scalar", "cafe\u{200B}\u{301}", "caf\u{E9}"),
        Example("indentation of a later line", "if:\n    laugh", "if:\n    laugh"),
    ]

    @Test(
        "is the expected text for each example",
        arguments: terminalSequences + brokenOff + lines + unseen + kept)
    func example(_ example: Example) {
        // By bytes, because `==` of strings ignores the difference between two spellings of é.
        #expect(Array(cleanText(example.raw).unicodeScalars) == Array(example.clean.unicodeScalars))
    }

    @Test("overstrikes of fortune files are resolved", arguments: overstrikes)
    func overstrike(_ example: Example) {
        #expect(cleanText(withoutOverstrikes(example.raw)) == example.clean)
    }
}
