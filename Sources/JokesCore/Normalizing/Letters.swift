extension UInt8 {
    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the scalar at an index of UTF-8, and the index after it. In invalid UTF-8, some scalar.
    func scalar(at start: Int) -> (Unicode.Scalar, end: Int) {
        let lead = self[start]
        if lead < 0x80 { return (Unicode.Scalar(lead), start + 1) }
        let end = Swift.min(start + (~lead).leadingZeroBitCount, endIndex)
        let leadBits = UInt32(lead & (0x7F >> UInt8(end - start)))
        let value = self[(start + 1)..<end].reduce(leadBits) { $0 << 6 | UInt32($1 & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", end)
    }
}

extension [UInt8] {
    /// Appends a scalar in UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { append(UInt8(truncatingIfNeeded: scalar.value)) } else { append(contentsOf: scalar.utf8) }
    }
}

/// Returns the text in Unicode's composed form (NFC). O(n), without a copy if the text already has this form.
func canonicalForm(_ text: String) -> String {
    var bytes = text.utf8Span
    if bytes.isKnownASCII || bytes.checkForNFC(quickCheck: true) { return text }
    // The standard library has this for Foundation. There is no documented function for it, also not in FoundationEssentials.
    return String(decoding: text._nfcCodeUnits, as: UTF8.self)
}

extension String {
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    package var nonEmpty: String? { isEmpty ? nil : self }
}
