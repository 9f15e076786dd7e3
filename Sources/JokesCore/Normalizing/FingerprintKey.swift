/// Appends to a fingerprint's message what counts of a text, as UTF-8; `Fingerprint` says what does not. O(n).
func appendKey(of text: String, to key: inout [UInt8]) {
    key.reserveCapacity(key.count + text.utf8.count)
    var scanner = KeyScanner(scalars: Array(canonicalForm(text).unicodeScalars))
    while let scalar = scanner.next() {
        if scalar.isASCII {
            if let byte = UInt8(truncatingIfNeeded: scalar.value).countedASCII { key.append(byte) }
        } else if scalar.countsBeyondASCII {
            key.append(contentsOf: scalar.caseFolded.utf8)
        }
    }
}

/// Goes through a text, past its tags and labels.
private struct KeyScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    /// Whether nothing but blanks and Markdown's marks came since the line, or the word, began.
    private var atLineStart = true
    private var atWordStart = true
    /// The next `>` or line end once a `<` asked for it, so that a text full of `<` still takes linear time.
    private var nextClosing = 0

    init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    mutating func next() -> Unicode.Scalar? {
        while index < scalars.count {
            let scalar = scalars[index]
            if let end = atWordStart ? endOfLabel() : nil {
                index = end
                (atLineStart, atWordStart) = (false, false)
            } else if let end = scalar == "<" ? endOfTag() : nil {
                index = end
            } else {
                index += 1
                note(scalar)
                return scalar
            }
        }
        return nil
    }

    private mutating func note(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": (atLineStart, atWordStart) = (true, true)
        case "*", "_": break
        default:
            atWordStart = scalar.isBlank
            atLineStart = atLineStart && atWordStart
        }
    }

    /// `Q:` or `A:`, perhaps among Markdown's marks. Within a line only as people write it there: large, and alone.
    private func endOfLabel() -> Int? {
        let label = scalars[index]
        guard label == "Q" || label == "A" || (atLineStart && (label == "q" || label == "a")) else { return nil }
        let colon = scalars[(index + 1)...].firstIndex { $0 != "*" && $0 != "_" }
        guard let colon, scalars[colon] == ":" else { return nil }
        let end = colon + 1
        let isAlone = end == scalars.count || !scalars[end].properties.isAlphabetic
        return atLineStart || isAlone ? end : nil
    }

    /// From `<` to `>` on the same line where a letter or a slash follows, as in HTML; any other `<` is text.
    private mutating func endOfTag() -> Int? {
        guard index + 1 < scalars.count, scalars[index + 1] == "/" || scalars[index + 1].isASCIILetter
        else { return nil }
        if nextClosing <= index {
            nextClosing = scalars[index...].firstIndex { $0 == ">" || $0 == "\n" } ?? scalars.count
        }
        return nextClosing < scalars.count && scalars[nextClosing] == ">" ? nextClosing + 1 : nil
    }
}

extension UInt8 {
    /// What an ASCII character is in a key; nil where it does not count. Sums and prices are not punctuation.
    fileprivate var countedASCII: UInt8? {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): self
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self + 0x20
        case UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "$"): self
        default: nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self)
    }

    fileprivate var countsBeyondASCII: Bool {
        switch properties.generalCategory {
        case .mathSymbol, .currencySymbol, .otherSymbol: true
        default: isInWord
        }
    }
}
