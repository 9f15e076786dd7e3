/// The identity of a joke's text: the SHA-256 digest of its letters and digits.
///
/// It depends only on the text, so favorites and hidden marks survive every change of the configuration. The properties of
/// characters are those of Unicode 15.0, so no version of the Swift runtime changes a fingerprint.
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

    /// Computes the fingerprint of a clean text.
    ///
    /// A joke has the same fingerprint with one part and with two. Case, whitespace, punctuation, tags, Markdown marks and
    /// `Q:`/`A:` labels are ignored; canonically equivalent spellings are equal, and so are English contractions and their
    /// words. A heading such as `Clean joke 85` on the first line is ignored if a joke follows. If fewer than 8 code points
    /// are left in the decomposed form, the whole text counts in this form.
    package init(of text: JokeText) {
        // As one text, because the words of a contraction may be in two parts.
        let whole = text.whole
        let key = fingerprintKey(of: whole)
        bytes = SHA256.digest(of: codePoints(key) < 8 ? canonicalDecomposition(of: whole) : key)
    }

    /// 64 lowercase hexadecimal digits.
    package var hex: String { hexadecimal(bytes) }
}

/// The text `hex`.
extension Fingerprint: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let fingerprint = Fingerprint(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected 64 hexadecimal digits")
        }
        self = fingerprint
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
