/// Identifies a joke by its text: the SHA-256 digest of the letters and digits that make the joke.
///
/// Nothing but the text counts, so favorites and hidden marks survive every change of the configuration.
package struct Fingerprint: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Creates a fingerprint from stored bytes; nil if they are not 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads a `hex` text in any case; nil if it is invalid.
    package init?(hex: String) {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard hex.utf8.count == 64, digits.count == 64 else { return nil }
        self.init(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// The fingerprint of a clean text.
    ///
    /// Both parts count as one text, so that a source that serves a joke in one piece meets one that serves it in
    /// two. Case, whitespace, punctuation, tags, Markdown marks and `Q:`/`A:` labels do not count, nor which of two
    /// canonically equivalent spellings is used, nor whether an English `what is` is written `what's`. If fewer than 8
    /// characters are left, the text counts as it stands.
    package init(of text: JokeText) {
        // As one text: the words of a contraction may be in two parts.
        let whole = text.whole
        var message: [UInt8] = []
        appendKey(of: whole, to: &message)
        if message.count(where: \.beginsCharacter) < 8 {
            message = Array(canonicalForm(whole).utf8)
        }
        bytes = SHA256.digest(of: message)
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        hexadecimal(bytes)
    }

    /// The text without what does not count.
    package static func key(_ text: String) -> String {
        var key: [UInt8] = []
        appendKey(of: text, to: &key)
        return String(decoding: key, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether a character of UTF-8 begins with this byte.
    fileprivate var beginsCharacter: Bool {
        self & 0xC0 != 0x80
    }
}
