import TestSupport
import Testing
import TextLayout

@Suite struct LineTests {
    @Test("a name has the same color in each run")
    func names() {
        #expect(
            ["official", "jokeapi", "fortunes", "starter"].map { .name($0) } == [
                ColorRole.name2, .name3, .name1, .name0,
            ])
        #expect(ColorRole.name("") == .name0)
    }

    @Test("a line that is too long ends with an ellipsis in the style of the cut span")
    func truncation() {
        let line = Line([Span("Why did "), Span("the chicken", .bold)])
        #expect(line.truncated(to: 19) == line)
        #expect(line.truncated(to: 11) == Line([Span("Why did "), Span("th", .bold), Span("…", .bold)]))
        #expect(line.truncated(to: 9).plainText == "Why did …")
        #expect(line.truncated(to: 1).plainText == "…")
        #expect(line.truncated(to: 0).plainText == "")
        #expect(line.truncated(to: 12, mark: "...").plainText == "Why did t...")
        #expect(line.truncated(to: 2, mark: "...").plainText == "..")
        #expect(line.truncated(to: 19, mark: "...") == line)
    }

    @Test("a wide character is never cut in half")
    func wide() {
        #expect(Line("日本語").truncated(to: 5).plainText == "日本…")
        #expect(Line("日本語").truncated(to: 4).plainText == "日…")
        #expect(Line("日本語").fitted(to: 4).columns == 4)
        #expect(Line("👩‍👩‍👧‍👦👩‍👩‍👧‍👦").truncated(to: 3).plainText == "👩‍👩‍👧‍👦…")
    }

    @Test("the right part keeps its position, or is dropped if there is no room for both")
    func justified() {
        let (left, right) = (Line("A long setup of a joke"), Line("Pun"))
        #expect(Line.justified(left, right, to: 30).plainText == "A long setup of a joke     Pun")
        #expect(Line.justified(left, right, to: 20).plainText == "A long setup of… Pun")
        #expect(Line.justified(left, Line("Programming"), to: 20).plainText == "A long setup of a j…")
        #expect(Line.justified(Line("ab"), Line(), to: 4).plainText == "ab  ")
    }

    @Test("a fitted or justified line has exactly the given width")
    func property() throws {
        try checkProperty("fitting", cases: 2000, maxSize: 30, generate: hostileText, shrink: shortenedTexts) { text in
            let line = Line([Span(text), Span(text, .bold)])
            for columns in [0, 1, 2, 3, 7, 20] {
                for mark in [ellipsis, "..."] {
                    let cut = line.truncated(to: columns, mark: mark)
                    try verify(cut.columns <= columns, "truncated(to: \(columns), mark: \(mark)) is too wide")
                }
                try verify(line.fitted(to: columns).columns == columns, "fitted(to: \(columns)) misses")
                let both = Line.justified(line, Line(text), to: columns)
                try verify(both.columns == columns, "justified(to: \(columns)) misses")
            }
        }
    }
}
