/// Tells when two texts are the same joke: SHA-256 over the text with all that does not make the joke taken away.
package struct Fingerprint: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Takes a stored fingerprint; nil where it has not 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint of a clean text within its language.
    ///
    /// Both parts count as one text, so that a source that serves a joke in one piece meets one that serves it in
    /// two. Case, whitespace, punctuation, tags, Markdown marks and `Q:`/`A:` labels do not count; where fewer than
    /// 8 characters are left the text counts as it stands.
    package init(of text: JokeText, language: String) {
        let parts = [text.setup, text.punchline].compactMap { $0 }
        let key = parts.map(Self.key).joined()
        let counted = key.unicodeScalars.count < 8 ? parts.joined(separator: "\n") : key
        bytes = SHA256.digest(of: Array("\(language)\u{0}\(counted)".utf8))
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The text without what does not count.
    package static func key(_ text: String) -> String {
        var key = String.UnicodeScalarView()
        for line in text.split(whereSeparator: \.isNewline) {
            for scalar in withoutTags(withoutLabel(line)) where counts(scalar) {
                key.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(key)
    }

    private static func withoutLabel(_ line: Substring) -> Substring {
        let trimmed = line.drop { $0.isWhitespace || $0 == "*" || $0 == "_" }
        guard let label = trimmed.first, "QqAa".contains(label) else { return line }
        let rest = trimmed.dropFirst().drop { $0 == "*" || $0 == "_" }
        return rest.first == ":" ? rest.dropFirst() : line
    }

    /// Leaves out `<` to `>` where a letter or a slash follows the `<`, as in HTML; a lone `<` is text.
    private static func withoutTags(_ line: Substring) -> [Unicode.Scalar] {
        var kept: [Unicode.Scalar] = []
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "<", let next = rest.first, next == "/" || next.properties.isAlphabetic,
                let end = rest.firstIndex(of: ">")
            {
                rest = rest[rest.index(after: end)...]
            } else {
                kept.append(scalar)
            }
        }
        return kept
    }

    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case 0x2B: return true
        case 0..<0x80: return scalar == "$" || scalar == "="
        default: break
        }
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .modifierSymbol, .spaceSeparator, .lineSeparator,
            .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
            return false
        default:
            return true
        }
    }
}

/// Tells an edit under the same id: a hash over everything a reader sees.
package struct ContentHash: Hashable, Sendable {
    /// The first eight bytes of a SHA-256, as a number for the store.
    package let value: Int64

    package init(value: Int64) {
        self.value = value
    }

    /// The hash of a content; equal contents have equal hashes on every machine.
    package init(of content: JokeContent) {
        let fields: [String] = [
            content.text.setup, content.text.punchline ?? "\u{1}", content.language,
            content.categories.joined(separator: "\u{2}"), String(content.flags.rawValue), content.safety.rawValue,
            content.url ?? "\u{1}", content.author ?? "\u{1}", content.upstreamDate ?? "\u{1}",
        ]
        let digest = SHA256.digest(of: Array(fields.joined(separator: "\u{0}").utf8))
        value = Int64(bitPattern: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
