import TestSupport

/// Returns a text of about `size` pieces that are difficult to clean.
func textSoup(_ random: inout SplitMix64, _ size: Int) -> String {
    // Sometimes of plain pieces only, because clean texts are returned unchanged.
    let isPlain = random.chance(1, in: 4)
    return (0..<size).map { _ in isPlain ? plainMorsel(&random) : morsel(&random) }.joined()
}

private func plainMorsel(_ random: inout SplitMix64) -> String {
    let morsels = [" ", " ", "\n", "\n", "a", "B", "1", "?", "é", "’", "Ж", "笑", "😂"]
    return morsels[random.int(in: 0..<morsels.count)]
}

private func morsel(_ random: inout SplitMix64) -> String {
    switch random.int(in: 0..<12) {
    case 0...3: morsels[random.int(in: 0..<morsels.count)]
    case 4: scalar(in: 0...0x1F, &random)
    case 5: scalar(in: 0x7F...0xA0, &random)
    case 6: scalar(in: 0x20...0x7E, &random)
    case 7: scalar(in: 0x300...0x36F, &random)
    case 8: scalar(in: 0x2000...0x206F, &random)
    case 9: scalar(in: 0xA0...0x1FFF, &random)
    case 10: scalar(in: 0xFE00...0xFFFF, &random)
    default: scalar(in: 0...0x10_FFFF, &random)
    }
}

private let morsels = [
    "\n", "\n\n", "\r\n", " ", "  ", "\t", "\u{A0}", "\u{3000}", "\u{8}", "_\u{8}", "\u{8}_", "\u{1B}", "\u{1B}[",
    "\u{1B}]52;c;",
    "\u{1B}P", "\u{1B}\\", "\u{7}", "\u{9C}", "\u{9B}", "\u{9D}", "31m", "word", "Q:", "A:", "<b>", "**", "é",
    "e\u{301}", "\u{212B}",
    "\u{1FEF}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{FE00}", "👩", "🏴", "\u{E0067}", "\u{E007F}", "🏽", "1",
    "\u{20E3}", "\u{1100}",
    "\u{1161}", "\u{11A8}", "か", "\u{3099}", "क", "\u{94D}", "\u{202E}", "\u{FEFF}", "ß", "Σ", "ς", "İ", "ǆ",
]

private func scalar(in range: ClosedRange<UInt32>, _ random: inout SplitMix64) -> String {
    Unicode.Scalar(UInt32.random(in: range, using: &random)).map { String($0) } ?? ""
}

/// Returns the text without each of its scalars, and its halves.
func shorterTexts(_ text: String) -> [String] {
    shorterLists(Array(text.unicodeScalars)).map { scalars in
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

/// Returns the halves of the list, and the list without each of its elements.
func shorterLists<Element>(_ list: [Element]) -> [[Element]] {
    guard !list.isEmpty else { return [] }
    let middle = list.count / 2
    let halves = list.count > 1 ? [Array(list[..<middle]), Array(list[middle...])] : []
    return halves + list.indices.map { Array(list[..<$0] + list[($0 + 1)...]) }
}

/// A part of a text with its known result after cleaning.
enum TextPiece: Sendable {
    case word(String)
    case blank(String)
    case unseen(String)
    /// An incomplete sequence with a word in it.
    case broken(introducer: String, String)

    static func random(_ random: inout SplitMix64) -> TextPiece {
        func one(of list: [String], _ random: inout SplitMix64) -> String { list[random.int(in: 0..<list.count)] }
        return switch random.int(in: 0..<8) {
        case 0...2: .word(one(of: words, &random))
        case 3: .blank(one(of: blanks, &random))
        case 4: .broken(introducer: one(of: introducers, &random), one(of: words, &random))
        default: .unseen(one(of: unseen, &random))
        }
    }

    /// The part before cleaning.
    var raw: String {
        switch self {
        case .word(let text), .blank(let text), .unseen(let text): text
        case .broken(let introducer, let word): introducer + word + "\n"
        }
    }

    /// The part after cleaning, except for the kind of space.
    var shown: String {
        switch self {
        case .word(let word): word
        case .blank: " "
        case .unseen: ""
        case .broken(_, let word): word + " "
        }
    }

    private static let words = ["knock", "52;c;x", "[31m", "Q:", "0", "who's", "there?", "]0;", "~", "Zoë", "笑"]
    private static let blanks = [" ", "\n", "\r\n", "\r", "\t", "\n\n\n", "\u{2028}", "\u{C}"]
    private static let introducers = [
        "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}^", "\u{1B}X", "\u{9D}", "\u{90}", "\u{9F}",
    ]
    private static let unseen = [
        "\u{1B}[0m", "\u{1B}[38;5;200m", "\u{1B}[6n", "\u{1B}[?25l", "\u{9B}2H", "\u{1B}]52;c;b3duZWQ=\u{7}",
        "\u{1B}]0;title\u{1B}\\", "\u{1B}P+q544e\u{9C}", "\u{9D}8;;http://x\u{9C}", "\u{1B}(B", "\u{1B}7", "\u{0}",
        "\u{1}", "\u{7F}",
        "\u{80}", "\u{202E}", "\u{2069}", "\u{200B}", "\u{FEFF}", "\u{AD}",
    ]
}
