import JokesCore
import JokesStore
import TestSupport
import Testing

/// Words in every script: which spellings are equal, and where a word begins and ends.
@Suite final class SearchScriptTests: StoreTestCase {
    @Test(
        "a text is found by its words in other spellings, and not by other words",
        arguments: [
            // Scripts without spaces: any characters that are next to each other.
            ("我是日本語の先生です。", ["日本語", "日本語 ", "先生", "語 ", "\"日本語の先生\""], ["日語 ", "本日", "日本 先輩"]),
            ("ラーメンがたべたい", ["ラーメン ", "がたべ ", "か\u{3099}たへ\u{3099} ", "たい "], ["かたべ", "ラメン", "らーめん"]),
            ("นี่คือเป็ดตัวใหญ่", ["เป็ด ", "ใหญ่", "ตัว "], ["เปด", "ปลา"]),
            ("ນີ້ແມ່ນເປັດ", ["ເປັດ "], ["ປາ"]), ("នេះជាទា", ["ទា "], ["ឆ្មា"]), ("ဒါကဘဲပါ", ["ဘဲ "], ["ကြောင်"]),
            // Korean words have endings.
            ("우리 강아지가 웃어요", ["강아지", "강아지 ", "\u{1100}\u{1161}\u{11BC}아지 ", "웃 "], ["가아지", "강지", "고양이"]),
            // Full case folding.
            ("Die STRAẞE, die Straße", ["strasse ", "Straße ", "STRASSE ", "straẞe "], ["strase "]),
            ("IŞIK ve ışık, İstanbul", ["ışık ", "isik ", "IŞIK ", "istanbul ", "ISTANBUL "], ["eşik"]),
            ("Ο Οδυσσεύς γέλασε", ["οδυσσευς ", "ΟΔΥΣΣΕΥΣ ", "γελασε "], ["οδυσσευ "]),
            ("Ёжик и Йод", ["ежик ", "ЁЖИК "], ["жик"]),
            // Marks, and the forms of a letter.
            ("رأى البَطَّةَ في الحديقةِ", ["البطة ", "البطه ", "راى ", "راي ", "الحديقه "], ["بطة ", "البط "]),
            ("שָׁלוֹם לְכֻלָּם", ["שלום ", "לכלם ", "שלומ "], ["שלו ", "לום"]),
            ("می\u{200C}خواهم کتاب", ["ميخواهم ", "كتاب "], ["خواهم"]),
            ("Crème brûlée, Tiếng Việt, Łódź", ["creme BRULEE ", "tieng viet ", "łodz "], ["crem ", "viê "]),
            ("हिन्दी में", ["हिन्दी ", "हिन्दी"], ["हनद", "हिन्द "]),
            // Apostrophes.
            (
                "They don't know", ["dont ", "don't ", "don’t ", "donʼt ", "don ", "don'", "\"they dont know\""],
                ["do ", "don't't"]
            ),
            ("Il n’aime pas l’oie d'Anne", ["loie ", "l'oie ", "oie ", "anne ", "\"pas loie\""], ["ois"]),
            (
                "'Quoted' rock 'n' roll, the dogs' toys", ["quoted ", "n ", "dogs ", "\"dogs toys\""],
                ["dogstoys", "rockn"]
            ),
            ("fo'c's'le", ["focsle ", "fo ", "c ", "le ", "fo'c’s'le "], ["foc ", "csle "]),
            // Symbols and emoji.
            (
                "👨\u{200D}👩\u{200D}👧 say 👍🏽 to ❤️", ["👨 ", "👧 ", "👨\u{200D}👩\u{200D}👧 ", "👍 ", "👍🏿 ", "❤ ", "say 👍 "],
                ["👦", "👧\u{200D}👨 "]
            ),
            ("Press 1️⃣ in Köln 🇩🇪", ["1 ", "🇩🇪", "koln"], ["🇪🇩", "2"]),
            ("ＡＢＣ１２３ ﬁne", ["abc123 ", "fine "], ["abc12 "]),
            ("C++ for 5 €", ["c++ ", "\"5 €\"", "+ "], ["c# ", "5€6", "5 $"]),
            // A code point that Unicode 15 does not assign is a symbol. Private-use characters separate words.
            ("a\u{378}b c\u{E000}d", ["a ", "\u{378}", "\"c d\""], ["\u{379}", "ab", "cd"]),
        ] as [(String, [String], [String])])
    func spellings(text: String, found: [String], missing: [String]) throws {
        try store.ingest([joke("a", "1", text)])
        for query in found { #expect(try reader.search(query, limit: 2).rows.count == 1, "\(query)") }
        for query in missing { #expect(try reader.search(query, limit: 2).rows.isEmpty, "\(query)") }
    }

    @Test(
        "the whole word is highlighted, with its marks and signs that do not count",
        arguments: [
            ("l’oie rit", "oie ", ["l’oie"]), ("a 👍🏽 b", "👍 ", ["👍🏽"]), ("日本語の本", "本 ", ["本", "本"]),
            ("は日本語だ", "日本語", ["日本語"]), ("우리 강아지가", "강아지 ", ["강아지"]), ("שָׁלוֹם", "שלום", ["שָׁלוֹם"]),
            ("dogs' toys", "dogs ", ["dogs"]), ("Die Straße", "strasse", ["Straße"]),
        ])
    func highlights(text: String, query: String, texts: [String]) throws {
        try store.ingest([joke("a", "1", text)])
        let match = try #require(try reader.search(query, limit: 1).rows.first)
        #expect(match.marks.map { match.joke.content.text[$0].map(String.init) } == texts)
    }

    @Test("any text is found by each of its own words, and the index has exactly its words")
    func ownWords() throws {
        let ranges: [ClosedRange<UInt32>] = [
            0x21...0x7E, 0x61...0x7A, 0xA1...0x24F, 0x2B0...0x36F, 0x370...0x52F, 0x591...0x6FF, 0x900...0xD7F,
            0xE01...0xEFF, 0x1000...0x11FF, 0x1780...0x17FF, 0x1E00...0x1FFF, 0x2010...0x27BF, 0x3001...0x318F,
            0x4E00...0x4EFF, 0xAC00...0xACFF, 0xFB00...0xFFEF, 0x1F1E6...0x1F64F, 0xE000...0xE010, 0xFE00...0xFE0F,
        ]
        let common: [Unicode.Scalar] = [" ", " ", "'", "’", "\u{200D}", "\u{301}", "\u{3099}", "e", "n", "か"]
        try checkProperty("own words", cases: 4_000, maxSize: 40) { random, size in
            String(
                String.UnicodeScalarView(
                    (0..<size).map { _ in
                        random.chance(1, in: 2)
                            ? common[random.int(in: 0..<common.count)]
                            : ranges[random.int(in: 0..<ranges.count)].randomElement(using: &random).flatMap(
                                Unicode.Scalar.init) ?? "x"
                    }))
        } property: { text in
            guard let joke = try? joke("a", "1", text) else { return }
            try store.ingest([joke])
            for word in joke.content.text.setup.unicodeScalars.split(whereSeparator: {
                $0.properties.isWhitespace || $0 == "\""
            }) {
                guard word.contains(where: { $0.isASCII && $0.properties.isAlphabetic }) else { continue }
                let marks = try reader.search("\"\(Substring(word))\"", limit: 1).rows.first?.marks
                try verify(marks?.isEmpty == false, "not found: \(word.map(\.value))")
            }
        }
        try checkDatabase(fixture.databasePath)
    }
}
