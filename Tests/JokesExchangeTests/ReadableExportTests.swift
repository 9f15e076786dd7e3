import JokesCore
import JokesExchange
import TestSupport
import Testing

/// The formats for people: a web page and plain text.
@Suite struct ReadableExportTests {
    private static let needsPython = ConditionTrait.enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)")

    // MARK: Page

    @Test("a page has the cleaned texts of all jokes, whatever characters they have, and no other element", needsPython)
    func hostilePages() throws {
        var random = SplitMix64(seed: testSeed)
        let cases = (0..<scaled(1000)).map { number in RandomRecords.dirty(&random, size: number % 8) }
        let pages = try cases.map { try exported($0.all, .html) }
        for page in pages {
            let bad = page.unicodeScalars.first { $0 != "\n" && Self.isHarmful($0) }
            #expect(bad == nil, "seed \(testSeed)")
        }
        for (jokes, records) in zip(try PageJoke.read(pages), cases) {
            #expect(jokes == records.favorites.map(expected) + records.jokes.map(expected), "seed \(testSeed)")
        }
    }

    /// True if the scalar is a control character, or changes the direction of a text.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }

    private func expected(_ favorite: Favorite) -> PageJoke {
        let note = favorite.note.map(cleanText)
        return expected(favorite.id, favorite.content, favorite.favoritedAt, "Favorites", note: note)
    }

    private func expected(_ joke: Joke) -> PageJoke {
        expected(joke.id, joke.content, joke.firstSeen, "Cached jokes", note: nil)
    }

    private func expected(
        _ id: JokeID, _ content: JokeContent, _ time: Timestamp, _ section: String, note: String?
    ) -> PageJoke {
        PageJoke(
            section: section, setup: cleanText(content.text.setup), punchline: content.text.punchline.map(cleanText),
            note: note, language: content.language == "de-AT" ? "de-AT" : nil,
            link: content.details.url?.hasPrefix("https://") == true
                ? "https://jokes.test/%22?q=%3Cb%3E&a='b'%20c" : nil,
            source: cleanText(String(id.source)), author: content.details.author.map(cleanText),
            day: String(time.description.prefix(10)))
    }

    @Test("without cached jokes, a page has no headings of sections; without favorites, the page says so", needsPython)
    func smallPages() throws {
        let favorite = Favorite(
            id: JokeID(rawValue: "dad:1"), content: JokeContent(text: .single("One duck.")),
            favoritedAt: Timestamp(microseconds: 1_772_271_000_000_000))
        let page = try exported([.favorite(favorite)], .html, jokes: false)
        let joke = PageJoke(setup: "One duck.", source: "dad", day: "2026-02-28")
        let none = try exported([], .html, jokes: false)
        #expect(try PageJoke.read([page, none]) == [[joke], []])
        #expect(page.contains("<h1>Favorite jokes</h1>") && page.contains(">28 Feb 2026</time>"))
        #expect(page.contains("1 joke, ") && none.contains("<p>No favorites yet.</p>"))
        #expect(try exported([], .html).contains("<p>No jokes yet.</p>"))
    }

    @Test("text whose lines are indented gets a monospaced font, other text does not")
    func columns() throws {
        func isMonospaced(_ text: String) throws -> Bool {
            let content = JokeContent(text: .single(text))
            let favorite = Favorite(
                id: JokeID(rawValue: "a:1"), content: content, favoritedAt: Timestamp(microseconds: 0))
            return try exported([.favorite(favorite)], .html).contains(#"<p class="setup columns""#)
        }
        for text in ["a  |\n b |", " _\n| |", "one   two"] { #expect(try isMonospaced(text), "\(text)") }
        for text in ["One.  Two.", "One\ntwo", "One duck."] { #expect(try !isMonospaced(text), "\(text)") }
    }

    // MARK: Text

    @Test("a joke is followed by its note, and by a line with its source, author, day and address")
    func text() throws {
        let day = Timestamp(microseconds: 1_772_271_000_000_000)
        let full = JokeContent(
            text: .twoPart(setup: "Why did the duck cross?", punchline: "It was\nthe chicken's day off."),
            details: JokeDetails(url: "https://jokes.test/a b", author: "Ann"))
        let plain = JokeContent(text: .single("One duck."), details: JokeDetails(url: "javascript:alert(1)"))
        let records: [ExchangeRecord] = [
            .favorite(
                Favorite(id: JokeID(rawValue: "dad:1"), content: full, favoritedAt: day, note: "for Bo,\n\nat tea")),
            .favorite(Favorite(id: JokeID(rawValue: "mine:1"), content: plain, favoritedAt: day)),
        ]
        let favorites = """
            Why did the duck cross?
            It was
            the chicken's day off.
                Note: for Bo,

                at tea
                -- dad, Ann, 28 Feb 2026, https://jokes.test/a%20b

            One duck.
                -- mine, 28 Feb 2026

            """
        #expect(try exported(records, .text, jokes: false) == favorites)
        let duplicate = Joke(id: JokeID(rawValue: "b:1"), content: plain, isFavorite: true, firstSeen: day)
        let other = JokeContent(text: .single("Two ducks."))
        let joke = Joke(id: JokeID(rawValue: "b:2"), content: other, isFavorite: false, firstSeen: day)
        let all = "Favorites\n=========\n\n\(favorites)\nCached jokes\n============\n\n"
        #expect(
            try exported(records + [.joke(duplicate), .joke(joke)], .text)
                == all + "Two ducks.\n    -- b, 28 Feb 2026\n")
        #expect(try exported([], .text).isEmpty)
    }

    @Test("plain text has the cleaned texts of all jokes in their order")
    func hostileText() throws {
        try checkProperty("text", cases: 1000, maxSize: 8, generate: RandomRecords.dirty) { records in
            let text = try exported(records.all, .text)
            try verify(!text.unicodeScalars.contains { $0 != "\n" && Self.isHarmful($0) }, "harmful characters")
            var rest = text[...]
            for content in records.favorites.map(\.content) + records.jokes.map(\.content) {
                for part in [content.text.setup, content.text.punchline ?? ""].map(cleanText) where !part.isEmpty {
                    guard let range = rest.firstRange(of: part) else { throw BrokenProperty("\(part) is missing") }
                    rest = rest[range.upperBound...]
                }
            }
        }
    }

    @Test("each format has its own name, and only three can be imported")
    func names() throws {
        #expect(ExportFormat.allCases.map(\.rawValue) == ["json", "jsonfeed", "fortune", "html", "text"])
        for format in ExportFormat.allCases where !ExportFormat.importable.contains(format) {
            let file = try ImportFile(Array("One duck.\n%\n".utf8), format: format, now: Timestamp(microseconds: 0))
            #expect(throws: ImportProblem.self) { try file.forEachRecord { _ in } }
        }
    }
}

extension RandomRecords {
    /// Records that were not cleaned, as a malicious daemon may send them.
    static func dirty(_ random: inout SplitMix64, size: Int) -> RandomRecords {
        var made = RandomRecords()
        for number in 0..<size {
            let setup = random.dirtyText() + " \(number)"
            var content = JokeContent(
                text: random.chance(1, in: 2) ? .single(setup) : .twoPart(setup: setup, punchline: random.dirtyText()))
            content.language = ["und", "de-AT", "\" onclick=\"x", "x\ny"][random.int(in: 0..<4)]
            content.details.author = random.chance(1, in: 2) ? random.dirtyText() : nil
            let link = "https://jokes.test/\"?q=<b>&a='b' c"
            content.details.url = [nil, link, "javascript:alert(1)", " data:text/html,x"][random.int(in: 0..<4)]
            let id = JokeID(rawValue: "source-\(number)<b>:\(number)")
            if random.chance(1, in: 2) {
                made.jokes.append(Joke(id: id, content: content, isFavorite: false, firstSeen: random.time()))
            } else {
                let note = random.chance(1, in: 2) ? random.dirtyText() : nil
                made.favorites.append(Favorite(id: id, content: content, favoritedAt: random.time(), note: note))
            }
        }
        return made
    }
}

extension SplitMix64 {
    /// Text that could end an element or an attribute, or change the order of letters, with random scalars.
    fileprivate mutating func dirtyText() -> String {
        let pieces = [
            "</script>", "<script>alert(1)</script>", "</style>", "<!--", "-->", "<![CDATA[", "]]>", "</p>", "<p>", "<",
            ">", "&", "&lt;", "&#0;", "&#x202E;", "\"", "'", "\" onclick=\"x", "<\u{301}b>", "\u{0}",
            "\u{1B}[31m", "\r", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{FFFE}", "\u{FFFF}", "\u{1F3F4}", "👩‍👩‍👧",
            "שלום", "é", "日本", "\u{E000}", "\n", "   ", "word",
        ]
        return (0..<int(in: 0..<8)).map { _ in
            chance(1, in: 3) ? TestSupport.hostileText(&self, size: 4) : pieces[int(in: 0..<pieces.count)]
        }.joined()
    }
}
