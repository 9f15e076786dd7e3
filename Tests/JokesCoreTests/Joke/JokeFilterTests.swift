import JokesCore
import TestSupport
import Testing

@Suite("Joke filter")
struct JokeFilterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let filter: JokeFilter
        let content: JokeContent
        let admits: Bool

        init(_ what: String, _ filter: JokeFilter, _ content: JokeContent, _ admits: Bool) {
            testDescription = what
            self.filter = filter
            self.content = content
            self.admits = admits
        }
    }

    private static func joke(
        _ text: String = "A joke.", _ punchline: String? = nil, language: String = "en", flags: JokeFlags = [],
        safety: Safety = .safe
    ) -> JokeContent {
        SourceDefaults().applied(
            to: JokeContent(
                text: punchline.map { .twoPart(setup: text, punchline: $0) } ?? .single(text), language: language,
                flags: flags, safety: safety))
    }

    private static let anything = JokeFilter(safe: false, maxLength: nil)
    private static let english = JokeFilter(languages: ["en"])
    private static let strict = JokeFilter(words: ["Damn", "c'est la vie", "Spaß", "  ", "!"])

    static let rows: [Row] = [
        Row("safe, rated safe", JokeFilter(), joke(), true),
        Row("safe, rated unsafe", JokeFilter(), joke(safety: .unsafe), false),
        Row("safe, unrated", JokeFilter(), joke(safety: .unknown), false),
        Row("safe, rated safe and flagged", JokeFilter(), joke(flags: .political), false),
        Row("not safe, rated unsafe and flagged", anything, joke(flags: .nsfw, safety: .unsafe), true),
        Row("not safe, an excluded flag", JokeFilter(safe: false, flags: .nsfw), joke(flags: .nsfw), false),
        Row("not safe, another flag", JokeFilter(safe: false, flags: .nsfw), joke(flags: .racist), true),
        Row("the language", english, joke(), true),
        Row("the language with a region", english, joke(language: "en-GB"), true),
        Row("the language in another case", JokeFilter(languages: ["EN"]), joke(), true),
        Row("another language", english, joke(language: "de"), false),
        Row("a language with the same beginning", english, joke(language: "enm"), false),
        Row("no region, but the filter has one", JokeFilter(languages: ["en-GB"]), joke(), false),
        Row("one of several languages", JokeFilter(languages: ["de", "en"]), joke(), true),
        Row("no language, but the filter has one", english, joke(language: "und"), false),
        Row("no language, as in the filter", JokeFilter(languages: ["und"]), joke(language: "und"), true),
        Row("no language, and none in the filter", JokeFilter(), joke(language: "und"), true),
        Row("a word", strict, joke("Well, DAMN!"), false),
        Row("a word in the punchline", strict, joke("Well?", "Damn."), false),
        Row("a word within another", strict, joke("Amsterdamned"), true),
        Row("a word of another script's marks", strict, joke("Was für ein SPASS!"), false),
        Row("words in a row", strict, joke("Ah, C’est  la\nvie."), false),
        Row("words not in a row", strict, joke("C'est la belle vie."), true),
        Row("words with another ending", strict, joke("C'est la vien"), true),
        Row("a word in the other spelling", JokeFilter(words: ["caf\u{E9}"]), joke("The cafe\u{301}?"), false),
        Row("no excluded word", strict, joke(), true),
        Row("as long as allowed", JokeFilter(maxLength: 7), joke("A joke.", nil), true),
        Row("too long", JokeFilter(maxLength: 6), joke(), false),
        Row("too long in both parts together", JokeFilter(maxLength: 10), joke("A joke.", "Haha"), false),
        Row("long in bytes, short in code points", JokeFilter(maxLength: 3), joke("👩é!"), true),
        Row(
            "one character with thousands of marks", JokeFilter(maxLength: 3999),
            joke("\u{915}" + String(repeating: "\u{93E}", count: 3999)), false),
        Row("no limit", anything, joke(String(repeating: "ha ", count: 2000)), true),
    ]

    @Test("admits the jokes of the table", arguments: rows)
    func table(_ row: Row) {
        #expect(row.filter.admits(row.content) == row.admits)
    }

    @Test("applies words that are set later")
    func wordsLater() {
        var filter = JokeFilter()
        #expect(filter.admits(Self.joke("damn")))
        filter.words = ["damn"]
        #expect(!filter.admits(Self.joke("damn")))
        #expect(filter == JokeFilter(words: ["damn"]))
    }

    @Test("never admits a flagged or unrated joke as safe, and admits no more jokes if it is stricter")
    func properties() throws {
        try checkProperty(
            "safe is safe", cases: 1_500, maxSize: 8,
            generate: { random, size in (randomFilter(&random, size), randomContent(&random, size)) },
            property: { filter, content in
                let admitted = filter.admits(content)
                if filter.safe && (!content.flags.isEmpty || content.safety != .safe) {
                    try verify(!admitted, "admits \(content) as safe")
                }
                var narrower = filter
                narrower.safe = true
                narrower.words.append("knock")
                narrower.flags.formUnion(.sexist)
                narrower.maxLength = min(filter.maxLength ?? .max, 20)
                try verify(admitted || !narrower.admits(content), "the stricter filter admits \(content)")
            })
    }

    private func randomFilter(_ random: inout SplitMix64, _ size: Int) -> JokeFilter {
        JokeFilter(
            safe: random.chance(1, in: 2), languages: random.chance(1, in: 2) ? [] : ["en", "de-AT"],
            flags: random.chance(1, in: 2) ? [] : randomFlags(&random),
            words: random.chance(1, in: 2) ? [] : [textSoup(&random, size)],
            maxLength: random.chance(1, in: 2) ? nil : random.int(in: 0..<40))
    }

    private func randomContent(_ random: inout SplitMix64, _ size: Int) -> JokeContent {
        let languages = ["en", "en-US", "de", "de-AT", "und"]
        let stated = JokeContent(
            text: .twoPart(setup: textSoup(&random, size), punchline: random.chance(1, in: 2) ? "knock" : "no"),
            language: languages[random.int(in: 0..<languages.count)],
            flags: random.chance(1, in: 2) ? [] : randomFlags(&random),
            safety: Safety.allCases[random.int(in: 0..<Safety.allCases.count)])
        return SourceDefaults().applied(to: stated)
    }

    private func randomFlags(_ random: inout SplitMix64) -> JokeFlags {
        JokeFlags(rawValue: UInt8(random.int(in: 0..<64)))
    }
}
