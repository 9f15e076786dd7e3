import TestSupport
import Testing

@testable import JokesCore

@Suite("Character references")
struct CharacterReferenceTests {
    @Test("every name of HTML's table is found, and 106 of them also without the semicolon")
    func allNames() {
        let table = String(decoding: PackageResources.character_references_txt, as: UTF8.self)
        var counts = (names: 0, withoutSemicolon: 0)
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: " ")
            let scalars = fields.dropFirst().compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(reference("&\(fields[0]);") == (text, ""), "\(line)")
            #expect((reference("&\(fields[0]) ") == (text, " ")) == (fields.last == "?"), "\(line)")
            // The claim of CharacterReference.text.
            let surplus = ["nGt", "nLt"].contains(fields[0]) ? 1 : 0
            #expect(text.utf8.count <= fields[0].utf8.count + 2 + surplus, "\(line)")
            counts.names += 1
            counts.withoutSemicolon += fields.last == "?" ? 1 : 0
        }
        #expect(counts == (2125, 106))
    }

    static let references: [(text: String, character: String, rest: String)] = [
        ("&xrarr; b", "⟶", " b"), ("&CounterClockwiseContourIntegral;", "∳", ""), ("&NotEqualTilde;", "≂\u{338}", ""),
        ("&fjlig;", "fj", ""), ("&amp;lt;", "&", "lt;"),
        // Without the semicolon.
        ("&copy 1999", "©", " 1999"), ("&eacute", "é", ""), ("&nbsp&nbsp;", "\u{A0}", "&nbsp;"), ("&lt-", "<", "-"),
        ("&quotfried&quot", "\"", "fried&quot"), ("&ampD", "&", "D"), ("&ltbr&gt", "<", "br&gt"), ("&AMP.", "&", "."),
        ("&#65", "A", ""), ("&#65b", "A", "b"), ("&#x41g", "A", "g"), ("&#X41 1", "A", " 1"),
        // windows-1252, surrogate pairs and invalid numbers.
        ("&#146;", "’", ""), ("&#x80", "€", ""), ("&#55357;&#56832;!", "😀", "!"), ("&#xD83D&#xDE00", "😀", ""),
        ("&#55357;&#65;", "\u{FFFD}", "&#65;"), ("&#56832;&#55357;", "\u{FFFD}", "&#55357;"),
        ("&#55357;", "\u{FFFD}", ""),
        ("&#x110000;", "\u{FFFD}", ""), ("&#99999999999999999999999;", "\u{FFFD}", ""),
        ("&#x10FFFF;", "\u{10FFFF}", ""),
        // Control characters. The normalizer needs Escape, and space is text.
        ("&#0;a", "", "a"), ("&#x0", "", ""), ("&#11;", "", ""), ("&#8;", "", ""), ("&#127;", "", ""),
        ("&#129;", "", ""),
        ("&#9;", "\t", ""), ("&#10;", "\n", ""), ("&#12;", "\u{C}", ""), ("&#13;", "\r", ""), ("&#27;", "\u{1B}", ""),
    ]

    @Test("a reference is read as in HTML", arguments: references)
    func readReference(text: String, character: String, rest: String) throws {
        let (read, left) = try #require(reference(text))
        #expect(read.unicodeScalars.elementsEqual(character.unicodeScalars) && left == rest)
    }

    @Test(
        "other text after `&` is text",
        arguments: [
            "&", "& ", "&;", "&#", "&#;", "&#x", "&#x;", "&#xg;", "&#-1;", "&&amp;", "&T", "&nope;", "&Amp;", "&AMPx",
            "&copyright",
            "&copy=2", "&lt=1", "&amplitude=2", "&quote;", "&ampamp;", "&notit;", "&xrarr ", "&eacutes", "&é;",
        ])
    func noReference(text: String) {
        #expect(reference(text) == nil)
    }

    @Test("reads no further than the reference in any bytes")
    func anyBytes() throws {
        let morsels = [
            "&", "#", "x", ";", "=", "amp", "copy", "not", "lt", "55357", "D83D", "0", "99999999999", "é", "\u{0}", " ",
        ]
        try checkProperty(
            "references are bounded", cases: 2_500, maxSize: 12,
            generate: { random, size in
                "&" + (0..<size).map { _ in morsels[random.int(in: 0..<morsels.count)] }.joined()
            },
            property: { text in
                let bytes = Array(text.utf8)
                guard let reference = CharacterReference(in: bytes, at: 0) else { return }
                try verify((3...bytes.count).contains(reference.end), "ends at \(reference.end)")
                try verify(reference.text.utf8.count <= reference.end, "is \(reference.text)")
                try verify(!bytes[1..<reference.end].contains(0x20), "has a space")
                let exact = CharacterReference(in: Array(bytes[..<reference.end]), at: 0)
                try verify(exact?.end == reference.end, "depends on more than the next character")
            })
    }

    private func reference(_ text: String) -> (text: String, rest: String)? {
        let bytes = Array(text.utf8)
        return CharacterReference(in: bytes, at: 0).map { reference in
            (reference.text, String(decoding: bytes[reference.end...], as: UTF8.self))
        }
    }
}

private func == (left: (text: String, rest: String)?, right: (String, String)) -> Bool {
    left.map { $0 == right } ?? false
}
