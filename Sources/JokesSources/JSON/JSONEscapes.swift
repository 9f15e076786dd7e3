/// What is between the quotes of a JSON string, as text; nil where it is not UTF-8, or has a control character, an escape
/// that is none of JSON's or a surrogate without its other half.
func unescaped(jsonString raw: ArraySlice<UInt8>) -> String? {
    guard raw.allSatisfy({ $0 >= 0x20 }) else { return nil }
    guard raw.contains(UInt8(ascii: "\\")) else { return String(validating: raw, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var rest = raw
    while let byte = rest.popFirst() {
        if byte != UInt8(ascii: "\\") {
            text.append(byte)
        } else if let scalar = takeEscape(from: &rest) {
            text.append(contentsOf: String(scalar).utf8)
        } else {
            return nil
        }
    }
    return String(validating: text, as: UTF8.self)
}

/// What follows a backslash.
private func takeEscape(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): "\""
    case UInt8(ascii: "\\"): "\\"
    case UInt8(ascii: "/"): "/"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    case UInt8(ascii: "u"): takeScalar(from: &rest)
    default: nil
    }
}

private func takeScalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = takeCodeUnit(from: &rest) else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
        let second = takeCodeUnit(from: &rest), UTF16.isTrailSurrogate(second)
    else { return nil }
    return Unicode.Scalar(0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
}

private func takeCodeUnit(from rest: inout ArraySlice<UInt8>) -> UInt16? {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    // A sign would pass for a number otherwise.
    guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
        return nil
    }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
}
