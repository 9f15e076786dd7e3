import Testing
import TextLayout

@Suite struct ColumnsTests {
    @Test(
        "a cluster takes the columns that people see",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("—", 1), ("ا", 1), ("ש", 1),
            ("日", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("ｱ", 1), ("。", 2), ("\u{3000}", 2),
            ("😀", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("❤️‍🔥", 2), ("☕", 2), ("1️⃣", 2),
            ("🏴", 2), ("⛹🏽", 2), ("©", 1), ("©️", 2), ("…", 1), ("★", 1), ("·", 1), ("\u{FFFD}", 1),
        ] as [(Character, Int)])
    func widths(cluster: Character, columns: Int) {
        #expect(cluster.columns == columns)
    }

    @Test("the columns of a text are the sum of its clusters")
    func text() {
        #expect("".columns == 0)
        #expect("plain text".columns == 10)
        #expect("日本 and 👩‍👩‍👧‍👦!".columns == 4 + 5 + 2 + 1)
        #expect("naïve cafe\u{301}".columns == 10)
    }

    @Test("the columns of an Indic cluster are the sum of its scalars")
    func indic() {
        #expect("क".columns == 1)
        #expect("कि".columns == 2)
        #expect("क्षि".columns == 3)
    }
}
