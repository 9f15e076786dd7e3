/// Which jokes may be shown. Applied to what is cached, so that another filter needs no fetch.
package struct JokeFilter: Hashable, Sendable {
    /// Only jokes marked safe, neither `unsafe` nor `unknown`, and free of flags.
    package var safe: Bool
    /// Only these languages (`en` admits `en-GB`); all where empty. `und` passes where `und` is listed.
    package var languages: [String]
    /// None with one of these flags.
    package var flags: JokeFlags
    /// None with one of these words, or groups of words in a row, whatever their case; whole words only.
    package var words: [String] {
        didSet { unwanted = words.compactMap(Self.phrase) }
    }
    /// None longer than this, in Unicode code points over all parts; no limit where nil.
    package var maxLength: Int?

    private var unwanted: [[UInt8]]

    package init(
        safe: Bool = true, languages: [String] = [], flags: JokeFlags = [], words: [String] = [],
        maxLength: Int? = 2000
    ) {
        self.safe = safe
        self.languages = languages
        self.flags = flags
        self.words = words
        self.maxLength = maxLength
        unwanted = words.compactMap(Self.phrase)
    }

    /// Whether a joke passes. O(text × words).
    package func admits(_ content: JokeContent) -> Bool {
        if safe && (content.safety != .safe || !content.flags.isEmpty) { return false }
        if !content.flags.isDisjoint(with: flags) { return false }
        if !languages.isEmpty && !languages.contains(where: { content.language.isWithin($0) }) { return false }
        if let maxLength, content.text.isLonger(than: maxLength) { return false }
        return unwanted.isEmpty || !saysUnwanted(content.text)
    }

    private func saysUnwanted(_ text: JokeText) -> Bool {
        [text.setup, text.punchline ?? ""].contains { part in
            let words = spacedWords(of: part)
            return unwanted.contains { words.holds($0) }
        }
    }

    /// Nil where no word is in it, because nothing would be found everywhere.
    private static func phrase(_ words: String) -> [UInt8]? {
        let spaced = spacedWords(of: words)
        return spaced.count > 1 ? spaced : nil
    }
}

/// The words of a text in one case, a space before, between and behind them, so that whole words are found as bytes.
private func spacedWords(of text: String) -> [UInt8] {
    var bytes: [UInt8] = [0x20]
    bytes.reserveCapacity(text.utf8.count + 2)
    for scalar in canonicalForm(text).unicodeScalars {
        if scalar.isInWord {
            bytes.append(contentsOf: scalar.caseFolded.utf8)
        } else if bytes.last != 0x20 {
            bytes.append(0x20)
        }
    }
    if bytes.last != 0x20 { bytes.append(0x20) }
    return bytes
}

extension [UInt8] {
    fileprivate func holds(_ other: [UInt8]) -> Bool {
        guard other.count <= count else { return false }
        return (0...(count - other.count)).contains { start in self[start...].starts(with: other) }
    }
}

extension JokeText {
    fileprivate func isLonger(than limit: Int) -> Bool {
        // A code point has at least one byte, and counting bytes is free.
        byteCount > limit && length > limit
    }
}

extension String {
    fileprivate func isWithin(_ range: String) -> Bool {
        let (tag, range) = (lowercased(), range.lowercased())
        return tag == range || tag.hasPrefix(range + "-")
    }
}
