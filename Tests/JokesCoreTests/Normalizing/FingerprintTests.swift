import FoundationEssentials
import TestSupport
import Testing

@testable import JokesCore

@Suite("Fingerprint")
struct FingerprintTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let one: JokeText
        let other: JokeText
        let testDescription: String

        init(_ what: String, _ one: JokeText, _ other: JokeText) {
            testDescription = what
            self.one = one
            self.other = other
        }

        init(_ what: String, _ one: String, _ other: String) {
            self.init(what, .single(one), .single(other))
        }
    }

    static let alike = [
        Pair("case", "Why did the CACHE laugh?", "why did the cache laugh?"),
        Pair("case beyond ASCII", "ÉCOLE DES ROBOTS", "école des robots"),
        Pair("case that changes length", "DIE STRASSE ZUM SPASS", "Die Straße zum Spaß"),
        Pair("a sigma at the end", "Ο ΚΩΔΙΚΟΣ ΓΕΛΑΕΙ", "ο κωδικος γελαει"),
        Pair("whitespace", "It  works\non my\u{A0}machine", "It works on my machine"),
        Pair("no whitespace", "It works on my machine", "Itworksonmymachine"),
        Pair("punctuation", "Wait... what?! It works.", "Wait what It works"),
        Pair("apostrophes and quotes", "It's a “feature”, they said", "It’s a \"feature\", they said"),
        Pair(
            "the contractions what is, what's and whats", "What’s red? It's a car that's not here",
            "Whats red? Its a car that is not here"),
        Pair(
            "a contraction across two parts", .twoPart(setup: "Guess what", punchline: "is red"),
            .single("Guess what's red")),
        Pair("I, you, we, they", "I am sure you are, we have and they will", "I'm sure you're, we’ve and they'll"),
        Pair(
            "contractions of is", "Where is he? He is in, there is no doubt",
            "Where's he? He's in, there's no doubt"),
        Pair("not", "I do not, could not, will not", "I don't, couldn’t, won't"),
        Pair("cannot", "You cannot, I can not", "You can't, I can’t"),
        Pair("a missing blank", "Whatis it that wakes you", "What is it that wakes you"),
        Pair("let us", "Let us go and hide it", "Let's go and hide it"),
        Pair("dashes", "A byte — or so", "A byte - or so"),
        Pair("French blanks before a question mark", "Tu dors\u{202F}? Bien sûr que non", "Tu dors? Bien sûr que non"),
        Pair("tags", "It <b>works</b><br/>on my <code class=\"x\">machine</code>", "It works on my machine"),
        Pair("Markdown", "**It works** on `my` _machine_", "It works on my machine"),
        Pair("a Markdown list", "- It works\n- on my machine", "It works\non my machine"),
        Pair("labels", "Q: Why so slow?\nA: It is loading.", "Why so slow?\nIt is loading."),
        Pair("labels in Markdown", "**Q:** Why so slow?\n*A*: It is loading.", "Why so slow?\nIt is loading."),
        Pair("small labels", "q: Why so slow?\na: It is loading.", "Why so slow? It is loading."),
        Pair("labels on one line", "Q: Why so slow? A: It is loading.", "Why so slow? It is loading."),
        Pair(
            "one part and two", .single("Why so slow? It is loading."),
            .twoPart(setup: "Why so slow?", punchline: "It is loading.")),
        Pair(
            "another position of the pause", .twoPart(setup: "Why so slow? It", punchline: "is loading."),
            .twoPart(setup: "Why so slow?", punchline: "It is loading.")),
        Pair(
            "labels in parts", .twoPart(setup: "Q: Why so slow?", punchline: "A: It is loading."),
            .single("Why so slow?\nIt is loading.")),
        Pair("é, composed or not", "Le caf\u{E9} du d\u{E9}veloppeur", "Le cafe\u{301} du de\u{301}veloppeur"),
        Pair("Hangul, composed or not", "가나다라 12345", decomposed("가나다라 12345")),
        Pair("two marks in either order", "Dx\u{323}\u{307} laughs aloud", "Dx\u{307}\u{323} laughs aloud"),
        Pair("é, composed or not, in a short text", "\u{E9}!", "e\u{301}!"),
        Pair("case in eight characters", "Abcd efgh", "abcdefgh!"),
        Pair("an emoji's selector", "I \u{2764}\u{FE0F} my compiler", "I \u{2764} my compiler"),
    ]

    @Test("is equal for texts that differ only in ignored characters", arguments: alike)
    func joins(_ pair: Pair) {
        #expect(Fingerprint(of: pair.one) == Fingerprint(of: pair.other))
    }

    static let unlike = [
        Pair("another word", "There are 10 kinds of people", "There are 11 kinds of people"),
        Pair("an accent", "Il a pêché hier matin", "Il a péché hier matin"),
        Pair("a word with the ending of a contraction", "The hit is over now", "The hits over now"),
        Pair("a word with the beginning of a contraction", "What issue have you got", "Whats sue have you got"),
        Pair("a contraction and another word", "He is not what he was", "He was not what he was"),
        Pair("a sum", "One and one: 1+1=10", "One and one: 11 10"),
        Pair("a price", "It costs me $5 a day", "It costs me 5 a day"),
        Pair("a currency", "It costs me €5 a day", "It costs me £5 a day"),
        Pair("an emoji", "My day in emoji: 🎉", "My day in emoji: 💤"),
        Pair("less than, not a tag", "Is 1 < 2 or is 3 > 2", "Is 1 2"),
        Pair("a tag that is never closed", "Use <b or so they say", "Use"),
        Pair("a letter that is not a label", "A: all of it\nbut one", "All of it\nB: but one"),
        Pair("a label's letter within a word", "The ratio was QA:b today", "The ratio was Qb today"),
        Pair("short texts with other punctuation", "Ha!", "Ha?"),
        Pair("short texts in another case", "Ha!", "HA!"),
        Pair("case in seven characters", "Abcd efg", "abcdefg!"),
        Pair("only punctuation", "?!", "!?"),
        Pair("Japanese", "布団が吹っ飛んだのだ", "布団が吹っ飛んだのか"),
    ]

    @Test("is different for different jokes", arguments: unlike)
    func parts(_ pair: Pair) {
        #expect(Fingerprint(of: pair.one) != Fingerprint(of: pair.other))
    }

    /// The fingerprints of the file were computed by another program, with another implementation of the Unicode algorithms.
    @Test("is the same as in earlier versions, for 500 texts")
    func stable() throws {
        let path = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/fingerprints.txt"
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
            .filter { $0.first != UInt8(ascii: "#") }
        #expect(lines.count == 500)
        for line in lines {
            let text = try JSONDecoder().decode(String.self, from: line.dropFirst(65))
            let fingerprint = Fingerprint(of: .single(text)).hex
            #expect(fingerprint == String(decoding: line.prefix(64), as: UTF8.self), "\(text.debugDescription)")
        }
    }

    @Test("does not depend on titles with a number, before a joke of 20 letters or more")
    func headings() {
        let joke = "The cache laughed, because it remembered."
        for title in [
            "Clean joke 12", "Clean joke 85", "Joke #12", "Blonde Joke 3 -", "Witz Nr. 7:", "Blague n° 4", "Joke (9)",
            "**Joke 10**", "The very best joke 11",
        ] {
            for text in [JokeText.single("\(title)\n\n\(joke)"), .twoPart(setup: title, punchline: joke)] {
                #expect(Fingerprint(of: text) == Fingerprint(of: .single(joke)), "\(title)")
            }
        }
        for title in [
            "12", "Joke 1.5", "Joke 12 again", "Is it joke 12?", "The very best joke so far 11", "It costs $5",
            "Joke twelve", "Joke 2 of 7",
        ] {
            #expect(Fingerprint(of: .single("\(title)\n\(joke)")) != Fingerprint(of: .single(joke)), "\(title)")
        }
        let (short, long) = ("because he can do it now", "Because she can do it now")
        #expect(fingerprintKey(of: "Count to 10\n\(short)") == Array("countto10becausehecandoitnow".utf8))
        #expect(fingerprintKey(of: "Count to 10\n\(long)") == Array("becauseshecandoitnow".utf8))
        #expect(fingerprintKey(of: "The joke\nJoke 12\n\(long)") == Array("thejokejoke12becauseshecandoitnow".utf8))
    }

    @Test("is stored as exactly 32 bytes")
    func bytes() throws {
        let fingerprint = Fingerprint(of: .single("It works on my machine"))
        #expect(Fingerprint(bytes: fingerprint.bytes) == fingerprint)
        #expect(Fingerprint(bytes: Array(fingerprint.bytes.dropLast())) == nil)
        #expect(Fingerprint(bytes: []) == nil)
        #expect(hexadecimal(fingerprint.bytes) == fingerprint.hex)
    }

    @Test("is equal for canonically equivalent spellings")
    func canonicalEquivalence() throws {
        try checkProperty(
            "equivalent spellings", cases: 2_000, maxSize: 40, generate: textSoup, shrink: shorterTexts,
            property: { raw in
                let clean = cleanText(raw)
                let other = decomposed(clean)
                try verify(clean == other, "\(clean.debugDescription): the test decomposes it wrongly")
                try verify(
                    Fingerprint(of: .single(clean)) == Fingerprint(of: .single(other)),
                    "\(clean.debugDescription) and its decomposed spelling part")
                // A newer runtime composes characters that Unicode 15.0 does not assign.
                let known = String(
                    String.UnicodeScalarView(raw.unicodeScalars.filter { ($0.properties.age?.major ?? 99) <= 15 }))
                try verify(
                    fingerprintKey(of: known) == fingerprintKey(of: canonicalForm(known)),
                    "\(known.debugDescription) and its composed spelling part")
            })
    }

    @Test("has a key without ignored characters")
    func keys() throws {
        try checkProperty(
            "keys", cases: 2_000, maxSize: 40, generate: textSoup, shrink: shorterTexts,
            property: { raw in
                for scalar in String(decoding: fingerprintKey(of: raw), as: UTF8.self).unicodeScalars {
                    let properties = scalar.properties
                    let isUnseen = properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                    let isMark = scalar.isASCII && !Character(scalar).isLetter && !Character(scalar).isNumber
                    try verify(
                        !isUnseen && properties.generalCategory != .control, "invisible \(scalar.debugDescription)")
                    try verify(!isMark || "+=$".unicodeScalars.contains(scalar), "a mark, \(scalar)")
                    try verify(!("A"..."Z").contains(scalar), "a capital, \(scalar)")
                }
            })
    }
}

/// Returns the text with decomposed Hangul syllables and some decomposed letters.
private func decomposed(_ text: String) -> String {
    let letters: [Unicode.Scalar: String] = [
        "é": "e\u{301}", "ë": "e\u{308}", "Å": "A\u{30A}", "ü": "u\u{308}", "が": "か\u{3099}", "Ï": "I\u{308}",
    ]
    return text.unicodeScalars.map { scalar in
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return letters[scalar] ?? String(scalar) }
        let (syllable, last) = (scalar.value - 0xAC00).quotientAndRemainder(dividingBy: 28)
        let jamo = [0x1100 + syllable / 21, 0x1161 + syllable % 21] + (last > 0 ? [0x11A7 + last] : [])
        return jamo.map { String(Unicode.Scalar($0)!) }.joined()
    }.joined()
}
