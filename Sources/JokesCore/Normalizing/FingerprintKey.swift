/// Returns the part of a text that counts for its fingerprint, in UTF-8. O(n)
func fingerprintKey(of text: String) -> [UInt8] {
    let bytes = canonicalDecomposition(of: text)
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count)
    var scanner = KeyScanner(bytes)
    var heading = Heading()
    var words = Contraction()
    while let scalar = scanner.next() {
        let letter = Letter(scalar)
        if letter.kind != .ignored {
            letter.appendCaseFolded(to: &key)
        } else {
            words.endWord(in: &key)
            if !heading.isComplete { heading.read(scalar, after: key) }
        }
    }
    words.endWord(in: &key)
    if heading.isBefore(key) { key.removeSubrange(..<heading.end) }
    return key
}

/// The number of code points of a text in UTF-8: each has one byte that does not continue another one. O(n)
func codePoints(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

/// Finds a heading, such as the title of a joke in a series: `Clean joke 85`, `Joke #12` or `Witz Nr. 7:`.
///
/// A heading is the first line of a text. It has two to five words, of which only the last one is a number, and no question mark.
private struct Heading {
    /// The end of the heading in the key; 0 if there is none.
    private(set) var end = 0
    /// True after the first line.
    private(set) var isComplete = false
    private var wordStart = 0
    private var wordCount = 0
    private var isNumber = false
    private var isHeading = true

    /// Reads a scalar of the text that does not count. The key ends before it.
    mutating func read(_ scalar: Unicode.Scalar, after key: [UInt8]) {
        if key.count > wordStart {
            isHeading = isHeading && !isNumber && wordCount < 5
            isNumber = key[wordStart...].allSatisfy(\.isASCIIDigit)
            wordStart = key.count
            wordCount += 1
        }
        switch scalar {
        case "?", "？", "؟": isHeading = false
        case "\n":
            isComplete = true
            if isHeading && isNumber && wordCount > 1 { end = key.count }
        default: break
        }
    }

    /// Returns whether there is a heading, and at least 20 code points after it. A shorter text, such as `1, 2, 3` after
    /// `Count to 3`, may need its first line.
    func isBefore(_ key: [UInt8]) -> Bool { end > 0 && codePoints(key[end...]) >= 20 }
}

/// Replaces English words by their contraction: `what is` by `whats`. Only whole words count.
///
/// A key has no apostrophes, so `What's`, `What’s`, `Whats` and `What is` are equal.
private struct Contraction {
    /// The starts of the last and the current word of the key.
    private var lastStart = 0
    private var start = 0

    /// Ends the current word, if there is one, at the end of the key.
    mutating func endWord(in key: inout [UInt8]) {
        guard key.count > start else { return }
        for wordStart in [lastStart, start] where key.count - wordStart <= Self.maxLength {
            guard let number = Self.number(key[wordStart...]), let short = Self.table[number] else { continue }
            key.replaceSubrange(wordStart..., with: short.utf8)
            start = wordStart
            break
        }
        lastStart = start
        start = key.count
    }

    /// Contractions by the numbers of their words, without the space.
    private static let table: [UInt64: String] = {
        var table = ["cannot": "cant", "willnot": "wont", "letus": "lets", "iam": "im"]
        let are = ["you", "we", "they"]
        for word in ["what", "that", "it", "he", "she", "there", "here", "who", "where", "when", "why", "how"] {
            table[word + "is"] = word + "s"
        }
        for word in are { table[word + "are"] = word + "re" }
        for word in are + ["i", "could", "should", "would"] { table[word + "have"] = word + "ve" }
        for word in are + ["i", "he", "she", "it", "that", "there", "who", "what"] {
            table[word + "will"] = word + "ll"
        }
        for word in [
            "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "should", "would",
        ] {
            table[word + "not"] = word + "nt"
        }
        return Dictionary(uniqueKeysWithValues: table.map { (number($0.utf8)!, $1) })  // only the letters a to z
    }()
    private static let maxLength = 10

    /// Returns the letters of a word as a number with five bits for each; nil if there are others than a to z.
    private static func number(_ word: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in word {
            guard byte.isASCIILetter else { return nil }
            number = number << 5 | UInt64(byte & 0x1F)
        }
        return number
    }
}

/// Iterates over the scalars of a text, without its tags and labels.
private struct KeyScanner {
    /// UTF-8.
    private let bytes: [UInt8]
    private var index = 0
    /// True if only spaces and Markdown marks came since the start of the line, or of the word.
    private var atLineStart = true
    private var atWordStart = true
    /// The next `>` or line end after the last `<`, so that a text full of `<` takes linear time.
    private var nextClosing = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Unicode.Scalar? {
        while index < bytes.count {
            if let end = atWordStart ? endOfLabel() : nil {
                index = end
                (atLineStart, atWordStart) = (false, false)
            } else if let end = bytes[index] == UInt8(ascii: "<") ? endOfTag() : nil {
                index = end
            } else {
                let (scalar, end) = bytes.scalar(at: index)
                index = end
                updateStarts(after: scalar)
                return scalar
            }
        }
        return nil
    }

    private mutating func updateStarts(after scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": (atLineStart, atWordStart) = (true, true)
        case "*", "_": break
        default:
            atWordStart = scalar.isBlank
            atLineStart = atLineStart && atWordStart
        }
    }

    /// Returns the index after `Q:` or `A:`, with or without Markdown marks. A label within a line must be a capital letter,
    /// without a letter after the colon.
    private func endOfLabel() -> Int? {
        let label = bytes[index]
        let isLarge = label == UInt8(ascii: "Q") || label == UInt8(ascii: "A")
        guard isLarge || (atLineStart && (label == UInt8(ascii: "q") || label == UInt8(ascii: "a"))) else { return nil }
        let colon = bytes[(index + 1)...].firstIndex { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "_") }
        guard let colon, bytes[colon] == UInt8(ascii: ":") else { return nil }
        let end = colon + 1
        let isAlone = end == bytes.count || Letter(bytes.scalar(at: end).0).kind != .letter
        return atLineStart || isAlone ? end : nil
    }

    /// Returns the index after a tag: from `<` and a letter or slash to `>` on the same line. Any other `<` is text.
    private mutating func endOfTag() -> Int? {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") || bytes[index + 1].isASCIILetter
        else { return nil }
        if nextClosing <= index {
            nextClosing =
                bytes[index...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "\n") } ?? bytes.count
        }
        return nextClosing < bytes.count && bytes[nextClosing] == UInt8(ascii: ">") ? nextClosing + 1 : nil
    }
}
