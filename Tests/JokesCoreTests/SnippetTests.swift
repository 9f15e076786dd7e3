import JokesCore
import TestSupport
import Testing

@Suite struct SnippetTests {
    private func mark(_ text: String, _ word: String, _ part: TextRange.Part = .setup) throws -> TextRange {
        let range = try #require(text.firstRange(of: word))
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        return TextRange(part, start..<start + word.utf8.count)
    }

    @Test("the snippet of a short joke is the part with more marks")
    func short() throws {
        let text = JokeText.twoPart(setup: "Why did the duck cross?", punchline: "A duck is a duck.")
        #expect(text[text.snippet(around: [])] == "Why did the duck cross?")
        let marks = [try mark(text.setup, "duck"), try mark("A duck is a duck.", "duck", .punchline)]
        #expect(text[text.snippet(around: marks)] == "Why did the duck cross?")
        let more = marks + [try mark("A duck is a duck.", "duck.", .punchline)]
        #expect(text[text.snippet(around: more)] == "A duck is a duck.")
    }

    @Test("the snippet of a long joke has whole words around the most marks")
    func long() throws {
        let text = JokeText.single("duck one two three four five six seven goose and swan eight nine ten eleven twelve")
        let marks = try ["duck", "goose", "swan"].map { try mark(text.setup, $0) }
        #expect(text[text.snippet(around: marks, size: 40)] == "six seven goose and swan eight nine ten")
        #expect(text[text.snippet(around: [marks[0]], size: 20)] == "duck one two three")
        #expect(text[text.snippet(around: [], size: 20)] == "duck one two three")
        #expect(text[text.snippet(around: [try mark(text.setup, "twelve")], size: 20)] == "ten eleven twelve")
    }

    @Test("every snippet is a range of the joke, within the size, with a mark if it fits")
    func properties() throws {
        let pieces = ["a", " ", "duck", "é", "e\u{301}", "👩‍👩‍👧", "日本", "\n", "🇩🇪", "-"]
        try checkProperty("a snippet is in the text", cases: 3_000, maxSize: 60) { random, size in
            let words = (0..<size).map { _ in pieces[random.int(in: 0..<pieces.count)] }
            return (words.joined(), random.int(in: 0..<size), 30 + random.int(in: 0..<60))
        } property: { setup, place, size in
            let text = JokeText.single(setup)
            let starts = setup.indices.map { setup.utf8.distance(from: setup.startIndex, to: $0) } + [setup.utf8.count]
            let number = min(place, starts.count - 2)
            let mark = TextRange(.setup, starts[number]..<starts[number + 1])
            let snippet = text.snippet(around: [mark], size: size)
            try verify(text[snippet] != nil, "no text: \(snippet.bytes)")
            try verify(snippet.bytes.count <= size, "\(snippet.bytes) is too long")
            try verify(
                starts.contains(snippet.bytes.lowerBound) && starts.contains(snippet.bytes.upperBound),
                "cuts a character")
            if mark.bytes.count <= 4 {
                try verify(
                    snippet.bytes.lowerBound <= mark.bytes.lowerBound
                        && mark.bytes.upperBound <= snippet.bytes.upperBound,
                    "\(snippet.bytes) without \(mark.bytes)")
            }
        }
    }

    @Test("marks outside the text or out of order are dropped")
    func foreignMarks() throws {
        let text = JokeText.twoPart(setup: "éa duck", punchline: "quack")
        let joke = Joke(
            id: JokeID(rawValue: "a:1"), content: JokeContent(text: text, language: "en"), isFavorite: false,
            firstSeen: Timestamp(microseconds: 0))
        let good = [TextRange(.setup, 0..<3), TextRange(.setup, 4..<8), TextRange(.punchline, 0..<5)]
        let bad = [TextRange(.setup, 1..<3), TextRange(.setup, 2..<5), TextRange(.punchline, 0..<9)]
        let found = FoundJoke(
            joke: joke, marks: [bad[0], good[0], bad[1], good[1], bad[2], good[2], good[0]])
        #expect(found.marks == good)
        #expect(text[found.snippet] == "éa duck")
    }
}
