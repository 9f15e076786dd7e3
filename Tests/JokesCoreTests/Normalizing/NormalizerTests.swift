import JokesCore
import TestSupport
import Testing

@Suite("Normalizer")
struct NormalizerTests {
    private let normalizer = Normalizer(source: "test")

    // MARK: Parts and rejections

    static let kinds: [(setup: String, punchline: String?, text: JokeText)] = [
        ("All in one.", nil, .single("All in one.")),
        ("Knock.", "Who?", .twoPart(setup: "Knock.", punchline: "Who?")),
        ("Knock.", "", .single("Knock.")),
        ("Knock.", " \u{200B}\r\n", .single("Knock.")),
        ("", "All in one.", .single("All in one.")),
        ("Knock.", "\u{FFFD}", .single("Knock.")),
        ("  Knock.\u{1B}[0m ", "\u{202E}Who?\u{7}", .twoPart(setup: "Knock.", punchline: "Who?")),
    ]

    @Test("makes two parts of two texts, and one part if the other is blank", arguments: kinds)
    func kind(setup: String, punchline: String?, text: JokeText) throws {
        #expect(try normalizer.normalize(FetchedJoke(setup: setup, punchline: punchline)).content.text == text)
    }

    private static let nothings = [
        "", " \n\t", "\u{0}\u{1B}[31m", "\u{200B}\u{FEFF}", "\u{8}\u{8}", "\u{FFFD}", "\u{FFFD} \u{FFFD}\n\u{FFFD}",
    ]

    @Test("refuses a joke without text", arguments: nothings)
    func empty(text: String) {
        #expect(throws: Rejection.empty) { try normalizer.normalize(FetchedJoke(setup: text, punchline: text)) }
        #expect(throws: Rejection.empty) { try normalizer.normalize(FetchedJoke(setup: text)) }
    }

    @Test("two parts and the line feed between them have at most 8 KiB")
    func length() throws {
        let half = String(repeating: "é", count: 2048)
        let longest = try normalizer.normalize(FetchedJoke(setup: half, punchline: half.dropLast() + "x"))
        #expect(longest.content.text.byteCount == Normalizer.maxBytes)
        #expect(throws: Rejection.tooLong) {
            try normalizer.normalize(FetchedJoke(setup: half, punchline: half))
        }
        #expect(throws: Rejection.tooLong) {
            try normalizer.normalize(FetchedJoke(setup: half + half + "!"))
        }
    }

    @Test("limits the clean text, and refuses megabytes without cleaning them")
    func lengthOfRawText() throws {
        let wrapped = FetchedJoke(setup: String(repeating: "\u{1B}[0m", count: 4096) + "Short.")
        #expect(try normalizer.normalize(wrapped).content.text == .single("Short."))
        let endless = FetchedJoke(setup: String(repeating: " ", count: 1_000_000) + "Short.")
        #expect(throws: Rejection.tooLong) { try normalizer.normalize(endless) }
    }

    // MARK: HTML

    @Test("resolves HTML in both parts before cleaning, only if the source has HTML")
    func html() throws {
        let fetched = FetchedJoke(
            setup: "<p>Why is 1 &lt; 2&#8;?</p>", punchline: "&#27;[31mBecause&#8238;<br>of <b>math</b>.&#x7;",
            isHTML: true)
        #expect(
            try normalizer.normalize(fetched).content.text
                == .twoPart(setup: "Why is 1 < 2?", punchline: "Because\nof math."))
        let plain = FetchedJoke(setup: "What does <br> do &amp; why?")
        #expect(try normalizer.normalize(plain).content.text == .single("What does <br> do &amp; why?"))
    }

    // MARK: IDs

    @Test(
        "keeps the ID of the upstream unchanged",
        arguments: ["138", "_b64-Url", "R7UfaahVfFd", "en:8", "http://x/?a=b#c~"])
    func upstreamID(id: String) throws {
        #expect(try normalizer.normalize(FetchedJoke(upstreamID: id, setup: "Ha ha ha.")).id.rawValue == "test:\(id)")
    }

    static let unusableIDs = [
        nil, "", "two words", "a\nb", "\u{1B}[31m", "\u{202E}8", "caf\u{E9}", "\u{200B}", "~0123456789abcdef",
        String(repeating: "x", count: 201),
    ]

    @Test("derives the ID from the text if the upstream has no usable ID", arguments: unusableIDs)
    func fallback(id: String?) throws {
        let joke = try normalizer.normalize(FetchedJoke(upstreamID: id, setup: "It works on my machine."))
        #expect(joke.id.rawValue == "test:~" + joke.fingerprint.hex.prefix(16))
        #expect(joke.id.source == "test")
    }

    // MARK: Flags and safety

    static let safeties: [(flags: [String], stated: Safety?, safety: Safety)] = [
        ([], .safe, .safe), ([], .unsafe, .unsafe), ([], .unknown, .unknown), ([], nil, .unknown),
        (["nsfw"], .safe, .unsafe), (["SEXIST"], .safe, .unsafe), (["explicit"], nil, .unsafe),
        (["racist", "political"], .unknown, .unsafe), (["religion"], .safe, .unsafe), ([""], .safe, .safe),
    ]

    @Test("keeps the stated safety, but a joke with a flag is unsafe", arguments: safeties)
    func safety(flags: [String], stated: Safety?, safety: Safety) throws {
        let joke = try normalizer.normalize(FetchedJoke(setup: "Ha ha.", flags: flags, safety: stated))
        #expect(joke.content.safety == safety)
    }

    @Test("knows each flag by its name, and any other name as \"other\"")
    func flags() throws {
        let names = ["nsfw", "religious", "political", "racist", "sexist", "explicit", "other"]
        for name in names {
            let joke = try normalizer.normalize(FetchedJoke(setup: "Ha.", flags: [name]))
            #expect(joke.content.flags.names == [name])
        }
        #expect(JokeFlags(names: names).names == names)
        #expect(JokeFlags(names: ["religion", "nsfw", ""]).names == ["nsfw", "other"])
    }

    // MARK: The other fields

    @Test("keeps the stated language if it is valid")
    func language() throws {
        for (tag, language) in [("DE", "de"), (nil, "und"), ("German, I think", "und"), ("", "und"), ("und", "und")] {
            #expect(try normalizer.normalize(FetchedJoke(setup: "Ha.", language: tag)).content.language == language)
        }
    }

    @Test("keeps at most 16 different categories, on one line, of at most 64 bytes")
    func categories() throws {
        let odd = ["dev", "dev", " dev ", "", "\u{1B}[1mpun\n", "two\nlines", String(repeating: "x", count: 65), "Dev"]
        let joke = try normalizer.normalize(FetchedJoke(setup: "Ha.", categories: odd))
        #expect(joke.content.categories == ["dev", "pun", "two lines", "Dev"])
        let many = try normalizer.normalize(FetchedJoke(setup: "Ha.", categories: (0..<1000).map(String.init)))
        #expect(many.content.categories == (0..<16).map(String.init))
    }

    @Test("cleans URL, author and date to one line, and drops empty and very long ones")
    func lines() throws {
        let joke = try normalizer.normalize(
            FetchedJoke(
                setup: "Ha.",
                details: JokeDetails(
                    url: "https://jokes.example/1\u{1B}]0;x\u{7}", author: "  Ada\n   Lovelace\r\n", date: " \u{200B}"))
        )
        #expect(joke.content.details.url == "https://jokes.example/1")
        #expect(joke.content.details.author == "Ada Lovelace")
        #expect(joke.content.details.date == nil)
        let endless = String(repeating: "x", count: 2049)
        #expect(
            try normalizer.normalize(FetchedJoke(setup: "Ha.", details: JokeDetails(author: endless))).content.details
                .author == nil)
    }

    @Test(
        "keeps only http and https URLs",
        arguments: [
            ("https://jokes.example/1", true), ("HTTP://jokes.example/1", true), ("javascript:alert(1)", false),
            ("file:///etc/passwd", false), ("data:text/html,x", false), ("httpx://jokes.example", false),
            ("jokes.example/1", false), ("\u{200B}javascript:alert(1)//https://", false),
        ])
    func webAddress(_ url: String, _ isKept: Bool) throws {
        let joke = try Normalizer(source: "dad").normalize(FetchedJoke(setup: "Ha.", details: JokeDetails(url: url)))
        #expect(joke.content.details.url == (isKept ? url : nil))
    }

    @Test("makes any text a clean joke or refuses it, and is idempotent")
    func again() throws {
        try checkProperty(
            "normal jokes are normal", maxSize: 30,
            generate: { random, size in
                FetchedJoke(
                    upstreamID: textSoup(&random, 2), setup: textSoup(&random, size),
                    punchline: textSoup(&random, size),
                    language: textSoup(&random, 1), categories: [textSoup(&random, 3)],
                    flags: random.chance(1, in: 3) ? ["nsfw"] : [], safety: .safe,
                    details: JokeDetails(
                        url: textSoup(&random, 3), author: textSoup(&random, 3), date: textSoup(&random, 3)))
            },
            property: { fetched in
                guard let joke = try? normalizer.normalize(fetched) else { return }
                let id = joke.id.rawValue.dropFirst("test:".count)
                let again = try normalizer.normalize(
                    FetchedJoke(
                        upstreamID: id.hasPrefix("~") ? nil : String(id), setup: joke.content.text.setup,
                        punchline: joke.content.text.punchline, language: joke.content.language,
                        categories: joke.content.categories, flags: joke.content.flags.names,
                        safety: joke.content.safety,
                        details: JokeDetails(
                            url: joke.content.details.url, author: joke.content.details.author,
                            date: joke.content.details.date)))
                try verify(again == joke, "\(again) instead of \(joke)")
                let isFlagged = !joke.content.flags.isEmpty
                try verify(!isFlagged || joke.content.safety == .unsafe, "flagged, but \(joke.content.safety)")
            })
    }
}
