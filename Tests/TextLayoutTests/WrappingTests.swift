import TestSupport
import Testing
import TextLayout

@Suite struct WrappingTests {
    @Test("text breaks between words, at line feeds, and inside a word that is wider than a line")
    func words() {
        #expect(plain("Why did the chicken cross?", to: 11) == ["Why did the", "chicken", "cross?"])
        #expect(plain("one\n\ntwo", to: 11) == ["one", "", "two"])
        #expect(plain("a Donaudampfschiff b", to: 6) == ["a", "Donaud", "ampfsc", "hiff b"])
        #expect(plain("a  b", to: 4) == ["a  b"])
        #expect(plain("a  b", to: 3) == ["a", "b"])
        #expect(plain("", to: 5) == [""])
        #expect(plain("text", to: 0) == [])
    }

    @Test("the first line may be narrower than the others")
    func narrowStart() {
        func lines(_ text: String, atMost limit: Int = .max) -> [String] {
            wrapped(text, to: 10, first: 5, atMost: limit).map(\.plainText)
        }
        #expect(lines("one two three four\nfive six") == ["one", "two three", "four", "five six"])
        #expect(lines("a whole sentence", atMost: 1) == ["a…"])
        #expect(lines("unbreakable text") == ["unbre", "akable", "text"])
    }

    @Test("punctuation after a space stays with its word, as French writes it")
    func frenchSpacing() {
        #expect(plain("Pourquoi ?", to: 9) == ["Pourquoi ", "?"])
        #expect(plain("Mais pourquoi ? Ah !", to: 13) == ["Mais", "pourquoi ?", "Ah !"])
        #expect(plain("Il dit « non » ! Ah", to: 9) == ["Il dit «", "non » !", "Ah"])
        #expect(plain("a ?b", to: 2) == ["a", "?b"])
    }

    @Test("a paragraph keeps its indentation")
    func indentation() {
        #expect(plain("\\o/\n |\n/ \\", to: 10) == ["\\o/", " |", "/ \\"])
    }

    @Test("wide characters break between each other, but not before a full stop")
    func wide() {
        #expect(plain("日本語です。", to: 4) == ["日本", "語で", "す。"])
        #expect(plain("日本語。", to: 6) == ["日本", "語。"])
        #expect(plain("日本", to: 1) == ["…", "…"])
    }

    @Test("with a limit, the last line of a longer text ends with an ellipsis")
    func limit() {
        #expect(plain("one two three", to: 5, atMost: 3) == ["one", "two", "three"])
        #expect(plain("one two three", to: 5, atMost: 2) == ["one", "two…"])
        #expect(plain("three three", to: 5, atMost: 1) == ["thre…"])
        #expect(plain("one\ntwo", to: 5, atMost: 1) == ["one…"])
        #expect(plain("Donaudampfschiff", to: 5, atMost: 2) == ["Donau", "damp…"])
    }

    @Test("no line is too wide, and only spaces are lost")
    func property() throws {
        try checkProperty("wrapped", cases: 2000, maxSize: 60, generate: hostileText, shrink: shortenedTexts) { text in
            for columns in [2, 5, 20] {
                let lines = plain(text, to: columns)
                for line in lines {
                    try verify(line.columns <= columns, "\(line.debugDescription) is wider than \(columns)")
                    // A joiner at the end of a line is removed; it has no columns.
                    let shown = Span(line)
                    let isSafe = withoutJoiners(shown.text) == withoutJoiners(line) && shown.columns == line.columns
                    try verify(isSafe, "\(line.debugDescription) is not safe")
                }
                let limited = plain(text, to: columns, atMost: 3)
                try verify(limited.count <= 3 && limited.allSatisfy { $0.columns <= columns }, "the limit is passed")
            }
            let whole = text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }
            let kept = plain(text, to: 60).flatMap(withoutBlanks)
            try verify(kept == whole.flatMap(withoutBlanks), "something is missing of \(whole)")
        }
    }
}

private func plain(_ text: String, to columns: Int, atMost limit: Int = .max) -> [String] {
    wrapped(text, to: columns, atMost: limit).map(\.plainText)
}

private func withoutJoiners(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\u{200C}" && $0 != "\u{200D}" }
}

private func withoutBlanks(_ text: String) -> [Unicode.Scalar] {
    withoutJoiners(text).filter { $0 != " " }
}
