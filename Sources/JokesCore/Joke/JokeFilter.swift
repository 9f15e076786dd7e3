/// The filter for shown jokes. It applies to cached jokes, so a changed filter needs no sync.
package struct JokeFilter: Hashable, Sendable {
    /// True to show only safe jokes.
    package var safe: Bool
    /// The languages to show; empty for all. `en` includes `en-GB`. `und` must be listed.
    package var languages: [String]
    /// The flags that exclude a joke.
    package var flags: JokeFlags
    /// The words that exclude a joke, or sequences of words. Whole words, in any case.
    package var words: [String] {
        didSet { unwanted = words.compactMap(Self.phrase) }
    }
    /// The maximum length of the text in Unicode code points; nil for no limit.
    package var maxLength: Int?

    private var unwanted: [[UInt8]]

    package init(
        safe: Bool = true, languages: [String] = [], flags: JokeFlags = [], words: [String] = [],
        maxLength: Int? = 2000
    ) {
        (self.safe, self.languages, self.flags) = (safe, languages, flags)
        (self.words, self.maxLength) = (words, maxLength)
        unwanted = words.compactMap(Self.phrase)
    }

    /// The reason that excludes an unrated joke.
    package static let unrated = "unrated, and the filter is safe"

    /// Returns whether a joke passes; see `exclusion`.
    package func admits(_ content: JokeContent) -> Bool { exclusion(of: content) == nil }

    /// Returns the first reason that excludes a joke, in words, with the safety that `SourceDefaults` has decided; nil if
    /// the joke passes. O(text × words)
    package func exclusion(of content: JokeContent) -> String? {
        if safe && content.safety != .safe {
            return content.safety == .unknown ? Self.unrated : "rated unsafe, and the filter is safe"
        }
        let excluded = content.flags.intersection(flags)
        if !excluded.isEmpty { return "the filter excludes the flag \(excluded.names.joined(separator: " and "))" }
        if !languages.isEmpty && !languages.contains(where: { content.language.isWithin($0) }) {
            return "the filter excludes the language \(content.language)"
        }
        // A code point has at least one byte, and counting bytes is O(1).
        if let maxLength, content.text.byteCount > maxLength, content.text.length > maxLength {
            return "the filter excludes more than \(maxLength) characters"
        }
        return unwanted.isEmpty || !hasUnwantedWords(content.text) ? nil : "the filter excludes its words"
    }

    private func hasUnwantedWords(_ text: JokeText) -> Bool {
        [text.setup, text.punchline ?? ""].map(spacedWords).contains { words in
            unwanted.contains { words.contains(sequence: $0) }
        }
    }

    /// Returns nil if the text has no words, because every text would have it.
    private static func phrase(_ words: String) -> [UInt8]? {
        let spaced = spacedWords(of: words)
        return spaced.count > 1 ? spaced : nil
    }
}

/// Returns the words of a text in one case, with a space before and after each, so that whole words are found as bytes.
private func spacedWords(of text: String) -> [UInt8] {
    var bytes: [UInt8] = [0x20]
    bytes.reserveCapacity(text.utf8.count + 2)
    for scalar in String(decoding: canonicalDecomposition(of: text), as: UTF8.self).unicodeScalars {
        let letter = Letter(scalar)
        if letter.kind == .letter || letter.kind == .number {
            letter.appendCaseFolded(to: &bytes)
        } else if bytes.last != 0x20 {
            bytes.append(0x20)
        }
    }
    if bytes.last != 0x20 { bytes.append(0x20) }
    return bytes
}

extension [UInt8] {
    fileprivate func contains(sequence other: [UInt8]) -> Bool {
        guard other.count <= count else { return false }
        return (0...(count - other.count)).contains { start in self[start...].starts(with: other) }
    }
}

extension String {
    fileprivate func isWithin(_ range: String) -> Bool {
        let (tag, range) = (lowercased(), range.lowercased())
        return tag == range || tag.hasPrefix(range + "-")
    }
}
