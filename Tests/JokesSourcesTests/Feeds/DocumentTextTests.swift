import JokesExchange
import TestSupport
import Testing

@Suite("The text of a document")
struct DocumentTextTests {
    static let labels: [(labels: String, bytes: String, text: String)] = [
        ("866 cp866 csibm866 ibm866", "AA AE E2", "кот"),
        (
            "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
            "BF F3 B3 77", "żółw"
        ),
        (
            "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
            "B6 6F 72 6F", "ĥoro"
        ),
        (
            "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
            "F3 BA F3 69 73", "ķēķis"
        ),
        (
            "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
            "DA DE E2", "кот"
        ),
        (
            "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
                + "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
            "E2 D7", "قط"
        ),
        (
            "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
                + "iso_8859-7:1987 sun_eu_greek",
            "E3 DC F4 E1", "γάτα"
        ),
        (
            "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
                + "iso_8859-8 iso_8859-8:1988 visual",
            "E7 FA E5 EC", "חתול"
        ),
        ("csiso88598i iso-8859-8-i logical", "E7 FA E5 EC", "חתול"),
        ("csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6", "BF E6", "ŋæ"),
        ("iso-8859-13 iso8859-13 iso885913", "FE E0 73 69 73", "žąsis"),
        ("iso-8859-14 iso8859-14 iso885914", "F0 79", "ŵy"),
        ("csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9", "BD 75 66 20 E0 20 31 20 A4", "œuf à 1 €"),
        ("iso-8859-16", "FE 61 72 E3", "țară"),
        ("cskoi8r koi koi8 koi8-r koi8_r", "CB CF D4", "кот"),
        ("koi8-ru koi8-u", "CB A6 D4", "кіт"),
        ("csmacintosh mac macintosh x-mac-roman", "D2 63 61 66 8E D3", "“café”"),
        ("dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874", "E1 C1 C7 85", "แมว…"),
        ("cp1250 windows-1250 x-cp1250", "84 BF F3 B3 77 94", "„żółw”"),
        ("cp1251 windows-1251 x-cp1251", "AB EA EE F2 BB", "«кот»"),
        (
            "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
                + "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
            "93 63 61 66 E9 94", "“café”"
        ),
        ("cp1253 windows-1253 x-cp1253", "E3 DC F4 E1", "γάτα"),
        (
            "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
                + "windows-1254 x-cp1254",
            "6B 75 FE 20 93 FD 94", "kuş “ı”"
        ),
        ("cp1255 windows-1255 x-cp1255", "E7 FA E5 EC", "חתול"),
        ("cp1256 windows-1256 x-cp1256", "DE D8", "قط"),
        ("cp1257 windows-1257 x-cp1257", "FE E0 73 69 73", "žąsis"),
        ("cp1258 windows-1258 x-cp1258", "6D F5", "mơ"),
        ("x-mac-cyrillic x-mac-ukrainian", "EA B4 F2", "кіт"),
        ("chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk", "E9 46 C3 A8 A2 E3", "镕猫€"),
        ("gb18030", "E9 46 C3 A8 A2 E3", "镕猫€"),
        ("big5 big5-hkscs cn-big5 csbig5 x-x-big5", "BF DF AB 7D", "貓咪"),
        ("cseucpkdfmtjapanese euc-jp x-euc-jp", "AD A1 C7 AD", "①猫"),
        ("csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis", "87 40 94 4C 81 60", "①猫～"),
        (
            "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
                + "windows-949",
            "8C 63 BE E7 B2 E1", "똠양꿍"
        ),
    ]

    @Test("every label of the Encoding Standard is known, in the transport and in the declaration", arguments: labels)
    func label(labels: String, bytes: String, text: String) {
        let bytes = hexBytes(bytes)
        for label in labels.split(separator: " ").map(String.init) {
            for label in [label, label.uppercased(), " '\(label)' ", label.filter { !"-_".contains($0) }] {
                let other = "<?xml version='1.0' encoding='ibm866'?>"
                #expect(decoded(utf8(other) + bytes, label) == other + text, "\(label)")
                let declared = "<?xml version='1.0' encoding=\"\(label)\"?>"
                #expect(decoded(utf8(declared) + bytes) == declared + text, "\(label)")
            }
        }
    }

    @Test(
        "an unknown label, and one that the Encoding Standard replaces, does not count",
        arguments: [
            "", "binary", "unicode", "utf-7", "x-klingon", "hz-gb-2312", "iso-2022-kr", "iso-2022-cn-ext", "utf-16",
            "utf-32be", "x-user-defined", "iso-8859-1//ignore", "../../x", "\u{1B}[31m", "utf8", "é",
        ])
    func unknownLabel(label: String) {
        #expect(
            decoded(utf8("<?xml encoding='koi8-r'?>") + [0xCB, 0xCF, 0xD4], label) == "<?xml encoding='koi8-r'?>кот")
        #expect(decoded(utf8("<a>caf") + [0xE9], label) == "<a>café")
        #expect(decoded(utf8("<?xml encoding='\(label)'?>caf") + [0xE9]) == "<?xml encoding='\(label)'?>café")
    }

    static let declarations: [(declaration: String, isRead: Bool)] = [
        ("<?xml version=\"1.0\" encoding=\"windows-1251\"?>", true), ("\n\t <?xml encoding='windows-1251'?>", true),
        ("<?XML   VERSION = \"1.0\"   ENCODING = \"WINDOWS-1251\" ?>", true),
        ("<!-- cached --><?xml version='1.0'\nencoding\n=\n'Windows_1251'\nstandalone='yes'?>", true),
        ("php: <?xml encoding=windows-1251?>", true),
        ("<?xml version='1.0'?><a encoding='windows-1251'>", false),
        ("<?xml-stylesheet encoding='windows-1251'?>", false),
        ("<?xml encoding='' standalone='windows-1251'?>", false), ("<?xml encoding", false), ("<?xml", false),
    ]

    @Test("the declaration is read in any form, but only there", arguments: declarations)
    func declaration(declaration: String, isRead: Bool) {
        #expect(decoded(utf8(declaration) + [0xEA, 0xEE, 0xF2]) == declaration + (isRead ? "кот" : "êîò"))
    }

    @Test("text that is mostly UTF-8 is UTF-8, although a character is cut")
    func mostlyUTF8() {
        let bytes = utf8("<a>“Un café à Zürich”, she said") + [0xE2, 0x80] + utf8("</a>")
        #expect(decoded(bytes, "euc-kr") == "<a>“Un café à Zürich”, she saidâ€</a>")
    }

    static let repairs: [(bytes: String, text: String)] = [
        ("63 61 66 E9 21", "café!"), ("44 6F 6E 92 74", "Don’t"), ("C3 A9 E9 C3 A9", "ééé"), ("E2 82", "â‚"),
        ("80", "€"),
        ("F0 9F 98 80 F0 9F 98", "😀ðŸ˜"), ("C0 AF", "À¯"), ("ED A0 80", "í\u{A0}€"), ("81 FF", "\u{81}ÿ"),
        // The last three bytes are also a character of UTF-8.
        ("AB A0 E9 74 E9 A0 BB", "«\u{A0}été\u{A0}»"),
    ]

    @Test("bytes that are not UTF-8 are windows-1252, and the characters around them stay", arguments: repairs)
    func repair(bytes: String, text: String) {
        for charset in [nil, "utf-8", "latin1"] { #expect(decoded(hexBytes(bytes), charset) == text) }
    }

    static let invalid: [(label: String, bytes: String, text: String)] = [
        ("euc-jp", "A4 CD A4 3C", "ね¤<"), ("euc-kr", "BF D6 E9 20 21", "왜é !"), ("gbk", "80 C3 A8 FF", "€猫ÿ"),
        ("windows-1253", "E3 8A", "γŠ"), ("shift_jis", "94 4C 82", "猫‚"), ("windows-874", "E1 81", "แ\u{81}"),
        ("iso-2022-jp", "1B 24 42 2D 21 47 2D 1B 28 42 1B 5B 6D", "\u{FFFD}猫\u{1B}[m"),
        ("euc-kr", "BF D6 C9 A1 BF D6", "왜\u{FFFD}왜"),
        // A letter and its accent are one letter, also at the end.
        ("windows-1258", "61 CC E9 61 EC", "àéá"), ("big5", "AB 7D 88 62", "咪Ê̄"),
    ]

    @Test("an invalid byte of another encoding is windows-1252 and ends nothing else", arguments: invalid)
    func invalidByte(label: String, bytes: String, text: String) {
        #expect(decoded(hexBytes(bytes), label).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("Japanese in 7 bits is read if it has an escape sequence and the label")
    func sevenBits() {
        let bytes = utf8("<a>") + hexBytes("1B 24 42 47 2D 1B 28 42")
        #expect(decoded(bytes, "ISO-2022-JP") == "<a>猫")
        #expect(decoded(bytes) == "<a>\u{1B}$BG-\u{1B}(B")
    }

    @Test(
        "UTF-16 and UTF-32 are read with a mark, or without one by their NUL bytes",
        arguments: ["\n<a>é猫😀", " {\"a\": 1}", "<>"])
    func wideUnits(text: String) {
        let units = text.utf16.map { UInt32($0) }, scalars = text.unicodeScalars.map(\.value)
        for label in [nil, "utf-8", "utf-16", "utf-16be", "latin1"] {
            for isBig in [true, false] {
                let (short, long) = (bytes(units, 2, isBig), bytes(scalars, 4, isBig))
                #expect(decoded(bytes([0xFEFF] + units, 2, isBig), label) == text)
                #expect(decoded(bytes([0xFEFF] + scalars, 4, isBig), label) == text)
                // Without a mark, there must be something after the bracket.
                if text == "<>" { continue }
                #expect(decoded(short, label) == text && decoded(long, label) == text)
                #expect(decoded(utf8("\u{FEFF}") + short, label) == text)
            }
        }
    }

    @Test("an unpaired surrogate and a cut unit cost one character, and U+0000 is dropped")
    func damagedUnits() {
        #expect(decoded(hexBytes("FE FF 00 61 D8 3D 00 00 00 62 00")) == "a\u{FFFD}b")
        #expect(decoded(hexBytes("FF FE 00 00 61 00 00 00 00 00 11 00 62 00")) == "a\u{FFFD}")
        // A few NUL bytes do not make text UTF-16.
        #expect(decoded(utf8("<rss>\u{0}</rss>\u{0}\u{0}"), "utf-16") == "<rss>\u{0}</rss>\u{0}\u{0}")
    }

    @Test("marks at the start are removed, and those in the text stay")
    func marks() {
        #expect(decoded(utf8("\u{FEFF}\u{FEFF}<a>\u{FEFF}")) == "<a>\u{FEFF}")
        #expect(decoded([0xEF, 0xBB, 0xBF]).isEmpty && decoded([]).isEmpty && decoded([0xFF, 0xFE]).isEmpty)
        #expect(decoded(hexBytes("84 31 95 33 C3 A8"), "gb18030") == "猫")
    }

    @Test("valid UTF-8 is not copied")
    func noCopy() {
        let bytes = utf8("<a>é</a>")
        let text = documentText(bytes, charset: "gbk")
        #expect(bytes.withUnsafeBufferPointer { $0.baseAddress } == text.withUnsafeBufferPointer { $0.baseAddress })
    }

    @Test(
        "takes linear time, and converts texts of many pieces",
        arguments: ["C3", "E2 82", "FF", "F0 9F", "94 4C", "80 20"])
    func linear(unit: String) {
        let bytes = Array(repeatElement(hexBytes(unit), count: 20_000).joined())
        for charset in [nil, "shift_jis", "iso-2022-jp"] {
            let text = documentText(bytes, charset: charset)
            #expect(text.count >= 20_000 && text.count <= 3 * bytes.count)
        }
    }
}

@Suite("Properties of the text of a document")
struct DocumentTextPropertyTests {
    private static let charsets = [
        nil, "", "utf-8", "utf-16", "latin1", "koi8-r", "gbk", "shift_jis", "big5", "windows-1258", "x",
    ]

    @Test("is valid UTF-8 without a mark, at most three times as long, and the same when read again")
    func anyBytes() throws {
        try checkProperty(
            "any bytes have a text", cases: 5_000, maxSize: 24, generate: { documentSoup(&$0, $1) },
            property: { bytes, charset in
                let text = documentText(bytes, charset: charset)
                try verify(String(validating: text, as: UTF8.self) != nil, "invalid: \(text)")
                try verify(!text.starts(with: [0xEF, 0xBB, 0xBF]), "has a mark")
                try verify(text.count <= 3 * bytes.count, "\(text.count) bytes of \(bytes.count)")
                try verify(documentText(text, charset: charset) == text, "changes again: \(text)")
            })
    }

    @Test("is unchanged if it is valid UTF-8")
    func validText() throws {
        try checkProperty(
            "valid text passes", cases: 5_000, maxSize: 40, generate: { (randomText(&$0, $1), randomCharset(&$0)) },
            property: { text, charset in
                try verify(
                    decoded(utf8(text), charset) == text, "\(text.debugDescription) in \(charset ?? "no charset")")
            })
    }

    @Test("loses no other character to one invalid byte")
    func oneByte() throws {
        try checkProperty(
            "one byte costs one character", cases: 5_000, maxSize: 40,
            generate: { random, size in
                (randomText(&random, size), UInt8(random.int(in: 0x80..<0x100)), randomText(&random, size))
            },
            property: { before, byte, after in
                let text = decoded(utf8(before) + [byte] + utf8(after), nil)
                let middle = text.dropFirst(before.count).dropLast(after.count)
                try verify(
                    text.hasPrefix(before) && text.hasSuffix(after) && middle.unicodeScalars.count == 1,
                    "\(text.debugDescription) for \(byte)")
            })
    }

    private func documentSoup(_ random: inout SplitMix64, _ size: Int) -> (bytes: [UInt8], charset: String?) {
        let bytes = (0..<size).flatMap { _ -> [UInt8] in
            switch random.int(in: 0..<4) {
            case 0: [UInt8(random.int(in: 0..<0x1B))]
            case 1: [UInt8(random.int(in: 0x80..<0x100))]
            case 2: Self.morsels[random.int(in: 0..<Self.morsels.count)]
            default: utf8(randomText(&random, 1))
            }
        }
        return (bytes, randomCharset(&random))
    }

    private func randomCharset(_ random: inout SplitMix64) -> String? {
        Self.charsets[random.int(in: 0..<Self.charsets.count)]
    }

    /// Without U+0000, marks and combining characters.
    private func randomText(_ random: inout SplitMix64, _ size: Int) -> String {
        let letters = Array("<>&{}\"= \nabcé߀猫한😀")
        return String((0..<size).map { _ in letters[random.int(in: 0..<letters.count)] })
    }

    private static let morsels: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0x3C, 0], [0, 0x3C],
        [0x3C, 0, 0, 0], [0, 0, 0, 0x3C], [0x61, 0], [0, 0x61], [0, 0], [0xD8, 0x3D], [0x84, 0x31, 0x95, 0x33],
        [0x88, 0x62], utf8("<?xml encoding='gbk'?>"), utf8("<?xml encoding="), utf8("shift_jis"),
    ]
}

private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

private func decoded(_ bytes: [UInt8], _ charset: String? = nil) -> String {
    String(decoding: documentText(bytes, charset: charset), as: UTF8.self)
}

private func hexBytes(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

private func bytes(_ units: [UInt32], _ width: Int, _ isBig: Bool) -> [UInt8] {
    units.flatMap { unit in
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * UInt32($0))) }
        return isBig ? bytes.reversed() : bytes
    }
}
