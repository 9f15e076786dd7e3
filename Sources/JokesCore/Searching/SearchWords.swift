/// Splits a text into the words by which it is searched for.
///
/// Words are equal if they differ in case, in accents and other marks, in final or initial forms of a letter, or in the way
/// in which Unicode encodes them. An apostrophe within a word joins its parts. Scripts without spaces between words are
/// split into characters, Korean into syllables; a word in them is a phrase. A symbol, such as `+` or an emoji, is a word.
///
/// The words of a text never change, because an index must have the words that are removed from it: the properties of
/// characters are those of Unicode 15.0.
package struct SearchWords {
    /// Gets a word in UTF-8, and its range in the text, in bytes. If `isPart` is true, it is a part of the last word, at the same
    /// position: `don` of `don't`. Its range is that of the whole word.
    package typealias Body = (_ word: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ isPart: Bool) throws -> Void

    /// The way in which a word continues.
    private enum Script {
        /// With spaces between words.
        case spaced
        /// One character is a word.
        case single
        /// The first consonants of a Korean syllable, and its other letters.
        case initial, syllable

        init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar.value {
                case 0x1100...0x115F, 0xA960...0xA97F: .initial
                case 0x1160...0x11FF, 0xD7B0...0xD7FF: .syllable
                // Thai, Lao, Myanmar and Khmer; then ideographs, kana, and other scripts of East Asia.
                case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
                    0x2E80...0xA4CF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x16FE0...0x1B2FF, 0x20000...0x3FFFF:
                    .single
                default: .spaced
                }
        }
    }

    private let body: Body
    /// The current word, and its range in the text; empty between words.
    private var word: [UInt8] = []
    private var range = 0..<0
    private var script = Script.single
    /// The ends of the parts of `word` before an apostrophe. The last one is its end if the next letter belongs to it.
    private var parts: [Int] = []

    /// Calls the closure for each word of a text, and for the parts of words with an apostrophe. O(n).
    ///
    /// Invalid UTF-8 is no error: its words are unspecified. Throws the first error of the closure.
    package static func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: @escaping Body) throws {
        var words = SearchWords(body: body)
        var index = 0
        while index < text.count {
            let (scalar, end) = text.scalar(at: index)
            try words.append(scalar, index..<end)
            index = end
        }
        try words.endWord()
    }

    /// Returns whether a text has a word.
    package static func isAny(in text: some StringProtocol) -> Bool {
        var (text, isAny) = (String(text), false)
        text.withUTF8 { text in try? forEach(in: text) { _, _, _ in isAny = true } }
        return isAny
    }

    @inline(__always)
    private mutating func append(_ scalar: Unicode.Scalar, _ bytes: Range<Int>) throws {
        guard scalar.isASCII else { return try append(beyondASCII: scalar, bytes) }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9":
            try begin(.spaced, bytes)
            // The bit is set in a digit.
            word.append(byte | 0x20)
        case "'": try joinNext()
        case "#"..."&", "+", "<"...">", "@", "|", "~":
            try begin(.single, bytes)
            word.append(byte)
        default: try endWord()
        }
    }

    private mutating func append(beyondASCII scalar: Unicode.Scalar, _ bytes: Range<Int>) throws {
        switch scalar.value {
        case 0x2019, 0x2BC: return try joinNext()
        // The wide forms of ASCII.
        case 0xFF01...0xFF5E: return try append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)), bytes)
        // An Arabic line that lengthens a letter, the box around a digit, and the skin tones of an emoji.
        case 0x640, 0x20E3, 0x1F3FB...0x1F3FF,
            _ where scalar.isHidden:
            return extend(to: bytes.upperBound)
        default: break
        }
        if let parts = scalar.canonicalParts { return try parts.forEach { try append($0, bytes) } }
        let letter = Letter(scalar)
        switch (letter.kind, letter.combiningClass) {
        case (.ignored, _): try endWord()
        // Accents and the like. The marks that are vowels, end a vowel, or voice a kana are letters.
        case (_, 1...7), (_, 10...36), (_, 200...): extend(to: bytes.upperBound)
        case (_, 8) where !word.isEmpty:
            extend(to: bytes.upperBound)
            word.append(scalar)
        default:
            try begin(letter.kind == .symbol ? .single : Script(scalar), bytes)
            letter.forEachCaseFolded { append(folded: $0) }
        }
    }

    /// Appends a case-folded scalar to the word. The forms of an Arabic or Hebrew letter are equal.
    private mutating func append(folded scalar: Unicode.Scalar) {
        switch scalar.value {
        // The fold of ẞ.
        case 0xDF: word.append(contentsOf: "ss".utf8)
        case 0x5DA, 0x5DD, 0x5DF, 0x5E3, 0x5E5: word.append(Unicode.Scalar(scalar.value + 1) ?? scalar)
        case 0x671: word.append("\u{627}")
        case 0x629: word.append("\u{647}")
        case 0x649, 0x6CC: word.append("\u{64A}")
        case 0x6A9: word.append("\u{643}")
        default: word.append(scalar)
        }
    }

    /// Extends the range of the current word by a character that does not count.
    private mutating func extend(to end: Int) {
        if !word.isEmpty && parts.last != word.count { range = range.lowerBound..<end }
    }

    /// Continues the current word, or ends it and begins another one.
    @inline(__always)
    private mutating func begin(_ next: Script, _ bytes: Range<Int>) throws {
        switch (script, next) {
        case (.spaced, .spaced), (.initial, .initial), (.initial, .syllable), (.syllable, .syllable):
            range = range.lowerBound..<bytes.upperBound
        default:
            try endWord()
            range = bytes
        }
        script = next
    }

    /// Handles an apostrophe: a letter after it belongs to the current word.
    private mutating func joinNext() throws {
        if script != .spaced || parts.last == word.count { return try endWord() }
        parts.append(word.count)
    }

    private mutating func endWord() throws {
        if word.isEmpty { return }
        if parts.last == word.count { parts.removeLast() }
        try word.withUnsafeBufferPointer { word in
            try body(word, range, false)
            if parts.isEmpty { return }
            for (start, end) in zip([0] + parts, parts + [word.count]) {
                try body(UnsafeBufferPointer(rebasing: word[start..<end]), range, true)
            }
        }
        word.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        script = .single
    }
}
