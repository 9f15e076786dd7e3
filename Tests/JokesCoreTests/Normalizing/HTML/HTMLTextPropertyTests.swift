import JokesCore
import TestSupport
import Testing

@Suite("Properties of the plain text of HTML")
struct HTMLTextPropertyTests {
    @Test("is the text itself without markup")
    func plainTextIsUnchanged() throws {
        try checkProperty(
            "plain text is unchanged", maxSize: 40,
            generate: { random, size in
                String(
                    String.UnicodeScalarView(
                        textSoup(&random, size).unicodeScalars.filter { !"<&".unicodeScalars.contains($0) }))
            },
            shrink: shorterTexts,
            property: { text in
                let plain = plainText(ofHTML: text)
                try verify(plain.utf8.elementsEqual(text.utf8), "became \(plain.debugDescription)")
            })
    }

    @Test("is the original of an escaped text", arguments: [false, true])
    func escapedComesBack(byNumber: Bool) throws {
        try checkProperty(
            "what was escaped comes back", maxSize: 40,
            generate: { random, size in random.chance(1, in: 2) ? textSoup(&random, size) : htmlSoup(&random, size) },
            shrink: shorterTexts,
            property: { text in
                let plain = plainText(ofHTML: escaped(text, byNumber: byNumber))
                try verify(plain.utf8.elementsEqual(text.utf8), "became \(plain.debugDescription)")
            })
    }

    @Test("is never longer than the HTML without two rare names, and idempotent without remaining markup")
    func bounded() throws {
        try checkProperty(
            "plain text is not longer", cases: 5_000, maxSize: 40, generate: htmlSoup, shrink: shorterTexts,
            property: { html in
                let plain = plainText(ofHTML: html)
                try verify(plain.utf8.count <= html.utf8.count, "became \(plain.debugDescription)")
                if plain.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) { return }
                try verify(plainText(ofHTML: plain) == plain, "changed again: \(plain.debugDescription)")
            })
    }

    @Test("is equal to the normalized joke after cleaning")
    func clean() throws {
        let normalizer = Normalizer(source: "test")
        try checkProperty(
            "cleaned HTML is clean", cases: 3_000, maxSize: 40, generate: htmlSoup, shrink: shorterTexts,
            property: { html in
                let clean = cleanText(plainText(ofHTML: html))
                try requireClean(clean)
                let joke = try? normalizer.normalize(FetchedJoke(setup: html, isHTML: true))
                // A text of U+FFFD alone is not a joke.
                let isReadable = clean.unicodeScalars.contains { $0 != "\u{FFFD}" && !$0.properties.isWhitespace }
                let expected = isReadable ? clean : nil
                try verify(joke?.content.text.setup == expected, "the normalizer: \(String(describing: joke))")
            })
    }

    @Test("keeps every word between tags, and none of comments, scripts and attributes")
    func keepsWords() throws {
        let words = ["knock", "who's", "there?", "a<b", "<3", "AT&T", "&copy=", "笑", "&nope;"]
        let unseen = [
            "<b>", "</b>", "<a href=\"x>y\">", "<img alt='a > b'/>", "<!-- no -->", "<!---->", "<script>no</script>",
            "<style type=\"x\">no</STYLE >", "<![CDATA[ no ]]>", "<?php no ?>", "<o:p/>", "<wbr>",
        ]
        try checkProperty(
            "words are kept", maxSize: 30,
            generate: { random, size -> [(html: String, shown: String)] in
                (0..<size).map { _ in
                    let word = words[random.int(in: 0..<words.count)] + " "
                    return random.chance(1, in: 2) ? (word, word) : (unseen[random.int(in: 0..<unseen.count)], "")
                }
            },
            property: { pieces in
                let plain = plainText(ofHTML: pieces.map(\.html).joined())
                let expected = pieces.map(\.shown).joined()
                try verify(plain == expected, "\(plain.debugDescription) instead of \(expected.debugDescription)")
            })
    }

    @Test(
        "takes linear time even for adversarial texts",
        arguments: [
            "<", "</", "<!", "<!--", "<![CDATA[", "<?x", "<a ", "<a b=\"", "<a b='<a b=\"", "<a y\" x=\"", "<script>",
            "<style></style", "&", "&#", "&#x1", "&#99999999999", "&ampamp", "<p>", "<pre>", "<br> ", "<b", "< a>",
            "&lt",
            "<a x=<", "<a x='>",
        ])
    func linear(unit: String) {
        // In quadratic time, some of these would take minutes.
        let html = String(repeating: unit, count: scaled(10_000, atLeast: 3_000)) + "-->]]>'>\">"
        #expect(plainText(ofHTML: html).utf8.count <= html.utf8.count)
        let unclosed = String(repeating: unit, count: scaled(10_000, atLeast: 3_000))
        #expect(plainText(ofHTML: unclosed).utf8.count <= unclosed.utf8.count)
    }
}

private func escaped(_ text: String, byNumber: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "&": escaped += byNumber ? "&#38;" : "&amp;"
        case "<": escaped += byNumber ? "&#x3C;" : "&lt;"
        case ">": escaped += byNumber ? "&#X3e;" : "&gt;"
        case "\"": escaped += byNumber ? "&#0034;" : "&quot;"
        case "'": escaped += byNumber ? "&#39;" : "&apos;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
}

/// Returns malformed HTML of about `size` pieces.
func htmlSoup(_ random: inout SplitMix64, _ size: Int) -> String {
    (0..<size).map { _ in
        random.chance(1, in: 8) ? textSoup(&random, 1) : htmlMorsels[random.int(in: 0..<htmlMorsels.count)]
    }.joined()
}

private let htmlMorsels = [
    "<", ">", "&", ";", "#", "x", "/", "!", "--", "-->", "<!--", "<![CDATA[", "]]>", "<?", "?>", "\"", "'", "=", " ",
    "\n",
    "<b>", "</b>", "<br>", "<br/>", "<p>", "</p>", "<p class=\"a>b\">", "<li>", "<td>", "<pre>", "</pre>", "<script>",
    "</script>", "<style", "</style>", "<a href='", "<3", "a < b", "&amp;", "&lt;", "&gt;", "&nbsp;", "&eacute;",
    "&nope;",
    "&#", "&#x", "&#27;", "&#x1b;", "&#8;", "&#155;", "&#x202E;", "&#0;", "&#xD800;", "&#x110000;", "&#128512;",
    "&#99999999999999999999;", "&NewLine;", "&Tab;", "&shy;", "&zwj;", "&rlm;", "&amp;lt;b&amp;gt;", "word", "é", "笑",
]
