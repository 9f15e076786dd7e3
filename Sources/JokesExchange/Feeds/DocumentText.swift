import Glibc
import JokesCore

/// Returns the text of an XML or JSON document in UTF-8, without a byte order mark at its start. Never fails.
///
/// Text with a byte order mark, or with NUL bytes around the first `<` or `{`, is UTF-16 or UTF-32. Valid UTF-8 is UTF-8,
/// whatever the labels say, unless it is Japanese in 7 bits. Other text has the encoding that the transport names, else that
/// of the XML declaration. Without a known name, and if the text is mostly UTF-8, it is UTF-8 with invalid bytes.
/// Invalid bytes are read as windows-1252, and invalid pairs of bytes become U+FFFD.
///
/// O(n) in time. Needs about three times the input in memory; valid UTF-8 is not copied.
package func documentText(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    let bytes = withoutMarks(bytes)
    if let text = textOfWideUnits(bytes) { return withoutNULs(text) }
    let encoding = [charset, declaredEncoding(of: bytes)].lazy.compactMap { $0.flatMap(legacyEncoding(labeled:)) }.first
    if invalidBytes(in: bytes, from: 0) == nil {
        let mayBeJapanese = encoding == "ISO-2022-JP" && bytes.contains(0x1B) && bytes.allSatisfy { $0 < 0x80 }
        return mayBeJapanese ? converted(bytes, from: "ISO-2022-JP") ?? bytes : bytes
    }
    if let encoding, encoding != "windows-1252", !isMostlyUTF8(bytes), let text = converted(bytes, from: encoding) {
        return withoutNULs(text)
    }
    return withoutNULs(repairedUTF8(bytes))
}

private func withoutMarks(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    return rest.count == bytes.count ? bytes : Array(rest)
}

/// Returns a converted text without U+0000, which no document may have, and without marks at its start. With U+0000, the
/// result could be UTF-16 to another call.
private func withoutNULs(_ text: consuming [UInt8]) -> [UInt8] {
    text.removeAll { $0 == 0 }
    return withoutMarks(text)
}

// MARK: UTF-8

/// Returns the next bytes that are not UTF-8; nil if there are none.
private func invalidBytes(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span.extracting(start...))
        return nil
    } catch {
        return start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
    }
}

private func forEachPart(
    of bytes: [UInt8], _ body: (_ valid: ArraySlice<UInt8>, _ invalid: ArraySlice<UInt8>) -> Void
) {
    var start = 0
    while start < bytes.count {
        let invalid = invalidBytes(in: bytes, from: start) ?? bytes.count..<bytes.count
        body(bytes[start..<invalid.lowerBound], bytes[invalid])
        start = invalid.upperBound
    }
}

/// Returns whether there are more valid characters beyond ASCII than invalid bytes. Text in other encodings has few of them.
private func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    var balance = 0
    forEachPart(of: bytes) { valid, invalid in balance += valid.count { $0 >= 0xC0 } - invalid.count }
    return balance > 0
}

private func repairedUTF8(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    forEachPart(of: bytes) { valid, invalid in
        text += valid
        for byte in invalid { text += String(windows1252Scalar(byte)).utf8 }
    }
    return text
}

// MARK: UTF-16 and UTF-32

/// Returns the text in UTF-8 of a document in UTF-16 or UTF-32; nil if it is in neither.
private func textOfWideUnits(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return transcoded(bytes.dropFirst(4), from: UTF32.self, isBig: false) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return transcoded(bytes.dropFirst(4), from: UTF32.self, isBig: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return transcoded(bytes.dropFirst(2), from: UTF16.self, isBig: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return transcoded(bytes.dropFirst(2), from: UTF16.self, isBig: true) }
    // Documents begin with ASCII, which has NUL bytes in these encodings, and only there (XML 1.0, appendix F).
    guard let first = bytes.firstIndex(where: { "<{".utf8.contains($0) }) else { return nil }
    let zeros = bytes[first...].dropFirst().prefix(3).map { $0 == 0 }
    let isAfterZero = first > 0 && bytes[first - 1] == 0
    switch zeros {
    case [true, true, true] where first % 4 == 0: return transcoded(bytes[...], from: UTF32.self, isBig: false)
    case [true, true, true] where first % 4 == 3 && isAfterZero:
        return transcoded(bytes[...], from: UTF32.self, isBig: true)
    case [true, false, true] where first % 2 == 0: return transcoded(bytes[...], from: UTF16.self, isBig: false)
    case [true, false, true] where isAfterZero: return transcoded(bytes[...], from: UTF16.self, isBig: true)
    default: return nil
    }
}

/// Converts whole units. Invalid units become U+FFFD.
private func transcoded<Encoding: Unicode.Encoding>(
    _ bytes: ArraySlice<UInt8>, from encoding: Encoding.Type, isBig: Bool
) -> [UInt8] {
    let width = MemoryLayout<Encoding.CodeUnit>.size
    let units = stride(from: bytes.startIndex, through: bytes.endIndex - width, by: width).lazy.map { start in
        let unit = bytes[start..<start + width].reduce(Encoding.CodeUnit(0)) { $0 << 8 | Encoding.CodeUnit($1) }
        return isBig ? unit : unit.byteSwapped
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    _ = transcode(units.makeIterator(), from: encoding, to: UTF8.self, stoppingOnError: false) { text.append($0) }
    return text
}

// MARK: Other encodings

/// Converts text to UTF-8 with iconv(3); nil if the system has no converter.
private func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    bytes.withUnsafeBytes { input in
        // iconv only reads the input, although its type says otherwise.
        var source = UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
        var left = input.count
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) { piece in
            while true {
                var (target, room) = (piece.baseAddress, piece.count)
                let isAtEnd = left == 0
                let status =
                    isAtEnd
                    // Letters that an accent could have followed.
                    ? iconv(converter, nil, nil, &target, &room)
                    : iconv(converter, &source, &left, &target, &room)
                let isInvalid = status == -1 && errno != E2BIG
                text += UnsafeRawBufferPointer(piece).prefix(piece.count - room)
                if isAtEnd { return }
                if isInvalid {
                    let (character, count) = replacement(of: input.suffix(left), in: encoding)
                    text += String(character).utf8
                    source = source?.advanced(by: count)
                    left -= count
                }
            }
        }
    }
    return text
}

/// Returns the character in place of invalid bytes, and their number: two if they are as a pair, but no character.
private func replacement(of bytes: Slice<UnsafeRawBufferPointer>, in encoding: String) -> (Unicode.Scalar, count: Int) {
    let isPaired = ["BIG5-HKSCS", "CP932", "CP949", "EUC-JP-MS", "GB18030"].contains(encoding)
    switch (bytes.first ?? 0, bytes.dropFirst().first ?? 0) {
    case (0x21...0x7E, 0x21...0x7E): return ("\u{FFFD}", 2)
    case (0..<0x80, _): return ("\u{FFFD}", 1)
    case (0x81...0xFE, 0x80...0xFF) where isPaired: return ("\u{FFFD}", 2)
    case (let byte, _): return (windows1252Scalar(byte), 1)
    }
}

/// Returns the encoding in `<?xml version="1.0" encoding="…"?>`, which begins in the first kilobyte; nil if there is none.
private func declaredEncoding(of bytes: [UInt8]) -> String? {
    let head = bytes.prefix(1024).map { $0.isASCIILetter ? $0 | 0x20 : $0 }
    let isEdge = { (byte: UInt8) in byte <= 0x20 || "='\"".utf8.contains(byte) }
    guard let start = head.firstRange(of: "<?xml".utf8)?.upperBound, start < head.count, isEdge(head[start]),
        case let declaration = head[start...].prefix(while: { $0 != UInt8(ascii: ">") }),
        let name = declaration.firstRange(of: "encoding".utf8)
    else { return nil }
    return String(decoding: declaration[name.upperBound...].drop(while: isEdge).prefix { !isEdge($0) }, as: UTF8.self)
}
