/// A scalar as fingerprints count it. Its properties are those of Unicode 15.0, whatever version the Swift runtime has.
struct Letter {
    enum Kind: UInt8 {
        /// It does not count.
        case ignored
        case letter
        /// A number, or a mark on a letter.
        case number
        /// A symbol, or a code point that Unicode 15.0 does not assign.
        case symbol
        /// Other scalars count for it: those of `mapping`, or the parts of a syllable of Hangul, which has no mapping.
        case decomposable
    }

    let kind: Kind
    /// The canonical combining class.
    let combiningClass: UInt8
    /// The full canonical decomposition, or the case folding. Empty if the scalar stands for itself.
    let mapping: Mapping
    private let scalar: Unicode.Scalar

    /// O(log n) in the size of the table; O(1) for ASCII.
    @inline(__always)
    init(_ scalar: Unicode.Scalar) {
        self =
            scalar.isASCII ? Letter(ascii: UInt8(truncatingIfNeeded: scalar.value)) : LetterTable.shared.letter(scalar)
    }

    /// Of the symbols, the signs of sums and prices count.
    @inline(__always)
    private init(ascii byte: UInt8) {
        var byte = byte
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): kind = .letter
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): (kind, byte) = (.letter, byte + 0x20)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number
        case UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "$"): kind = .symbol
        default: kind = .ignored
        }
        (scalar, combiningClass, mapping) = (Unicode.Scalar(byte), 0, Mapping(startIndex: 0, endIndex: 0, offset: 0))
    }

    fileprivate init(_ scalar: Unicode.Scalar, _ row: LetterTable.Row, offset: UInt32) {
        (kind, combiningClass, self.scalar) = (row.kind, row.combiningClass, scalar)
        mapping = Mapping(startIndex: Int(row.start), endIndex: Int(row.end), offset: offset)
    }

    /// Appends the scalar without case, in UTF-8: by way of its uppercase, so that `ß` equals `SS` and `ς` equals `Σ`. The
    /// scalar must not be decomposable.
    @inline(__always)
    func appendCaseFolded(to bytes: inout [UInt8]) {
        if mapping.isEmpty { return bytes.append(scalar) }
        for part in mapping { bytes.append(part) }
    }

    /// Calls the closure with each scalar of the full canonical decomposition. The scalar must be decomposable.
    func forEachPart(_ body: (Unicode.Scalar) throws -> Void) rethrows {
        for part in mapping { try body(part) }
        guard mapping.isEmpty else { return }
        // The two or three letters of a Korean syllable, by the arithmetic of the Unicode standard.
        let (index, last) = (scalar.value - 0xAC00).quotientAndRemainder(dividingBy: 28)
        let (first, vowel) = index.quotientAndRemainder(dividingBy: 21)
        for part in [0x1100 + first, 0x1161 + vowel, 0x11A7 + last] where part != 0x11A7 {
            try body(Unicode.Scalar(part) ?? "\u{FFFD}")
        }
    }

    /// Some scalars of the table, the last one plus an offset.
    struct Mapping: RandomAccessCollection {
        let startIndex, endIndex: Int
        fileprivate let offset: UInt32

        subscript(index: Int) -> Unicode.Scalar {
            let value = LetterTable.shared.mapped[index]
            return Unicode.Scalar(index == endIndex - 1 ? value + offset : value) ?? "\u{FFFD}"
        }
    }
}

/// The entries of `Letter.table`, for scalars beyond ASCII. They are read once, at the first of these scalars.
private struct LetterTable {
    /// A range of scalars with the same properties.
    struct Row {
        var kind = Letter.Kind.ignored
        var combiningClass: UInt8 = 0
        /// The indexes of `mapped`.
        var start: UInt16 = 0
        var end: UInt16 = 0
    }

    static let shared = LetterTable(Letter.table)

    /// The first scalar of each row, ascending.
    private var firsts: [UInt32] = []
    private var rows: [Row] = []
    fileprivate private(set) var mapped: [UInt32] = []

    func letter(_ scalar: Unicode.Scalar) -> Letter {
        let value = scalar.value
        var (low, high) = (0, firsts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if firsts[middle] <= value { low = middle } else { high = middle }
        }
        return Letter(scalar, rows[low], offset: value - firsts[low])
    }

    init(_ text: String) {
        for entry in Array(text.utf8).split(whereSeparator: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\n") }) {
            var fields = Fields(entry)
            firsts.append(fields.number())
            var row = Row()
            row.kind = fields.kind()
            row.combiningClass = UInt8(fields.number())
            row.start = UInt16(mapped.count)
            while !fields.isAtEnd { mapped.append(fields.number()) }
            row.end = UInt16(mapped.count)
            rows.append(row)
        }
    }

    /// Reads the fields of an entry.
    private struct Fields {
        private var bytes: ArraySlice<UInt8>

        init(_ entry: ArraySlice<UInt8>) { bytes = entry }

        var isAtEnd: Bool { bytes.isEmpty }

        /// Reads a number up to a space or the end; 0 without digits.
        mutating func number() -> UInt32 {
            var number: UInt32 = 0
            while let byte = bytes.popFirst(), byte != UInt8(ascii: " ") {
                number = number << 4 | UInt32(byte < UInt8(ascii: "A") ? byte & 0xF : byte - UInt8(ascii: "A") + 10)
            }
            return number
        }

        mutating func kind() -> Letter.Kind {
            switch bytes.popFirst() {
            case UInt8(ascii: "L"): .letter
            case UInt8(ascii: "N"), UInt8(ascii: "M"): .number
            case UInt8(ascii: "S"): .symbol
            case UInt8(ascii: "="): .decomposable
            default: .ignored
            }
        }
    }
}
