import Glibc
import JokesCore

/// Returns the text of an XML or JSON document in UTF-8, without a byte order mark at its start. Never fails.
///
/// Text with a byte order mark, or with NUL bytes around its first characters, is UTF-16 or UTF-32. Valid UTF-8 is UTF-8,
/// whatever the labels say, unless it is Japanese in 7 bits. Other text has the encoding that the transport names, else that
/// of the XML declaration, else windows-1252. If the text is mostly UTF-8, only its invalid bytes are read as windows-1252.
/// Invalid pairs of bytes become U+FFFD.
///
/// O(n) in time. Needs about three times the input in memory; valid UTF-8 is not copied.
package func documentText(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    let bytes = withoutMarks(bytes)
    if let encoding = wideEncoding(of: bytes), let text = converted(bytes, from: encoding) { return text }
    let encoding = [charset, declaredEncoding(of: bytes)].lazy.compactMap { $0.flatMap(legacyEncoding(labeled:)) }.first
    let mayBeJapanese = encoding == "ISO-2022-JP" && bytes.contains(0x1B)
    guard mayBeJapanese || invalidParts(of: bytes).contains(where: { _ in true }) else { return bytes }
    let balance = balanceOfUTF8(bytes)
    if let encoding, encoding != "windows-1252", balance <= 0, let text = converted(bytes, from: encoding) {
        return text
    }
    return withoutNULs(balance < 0 ? windows1252Text(bytes[...]) : repairedUTF8(bytes))
}

private func windows1252Text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 < 0x80 ? [$0] : Array(String(windows1252Scalar($0)).utf8) }
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

/// Finds the bytes that are not UTF-8, one after another.
private func invalidParts(of bytes: [UInt8]) -> some Sequence<Range<Int>> {
    sequence(state: 0) { start in
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(start...))
            return nil
        } catch {
            defer { start += error.byteOffsets.upperBound }
            return start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
        }
    }
}

/// Returns how many more valid characters beyond ASCII than invalid ones there are. Text in other encodings has few of
/// them.
private func balanceOfUTF8(_ bytes: [UInt8]) -> Int {
    let isStart = { (byte: UInt8) in byte >= 0xC0 }
    return invalidParts(of: bytes).reduce(bytes.count(where: isStart)) { balance, invalid in
        balance - bytes[invalid].count(where: isStart) - 1
    }
}

private func repairedUTF8(_ bytes: [UInt8]) -> [UInt8] {
    var (text, start): ([UInt8], Int) = ([], 0)
    for invalid in invalidParts(of: bytes) {
        text += bytes[start..<invalid.lowerBound]
        text += windows1252Text(bytes[invalid])
        start = invalid.upperBound
    }
    text += bytes[start...]
    return text
}

// MARK: Other encodings

/// Returns UTF-16 or UTF-32 if the document begins with its mark, or with ASCII characters in it (XML 1.0, appendix F).
private func wideEncoding(of bytes: [UInt8]) -> String? {
    let zeros = bytes.prefix(4).map { $0 == 0 }
    return wideEncodings.first { bytes.starts(with: $0.mark) || zeros == $0.zeros }?.name
}

private let wideEncodings: [(name: String, mark: [UInt8], zeros: [Bool])] = [
    ("UTF-32LE", [0xFF, 0xFE, 0, 0], [false, true, true, true]),
    ("UTF-32BE", [0, 0, 0xFE, 0xFF], [true, true, true, false]),
    ("UTF-16LE", [0xFF, 0xFE], [false, true, false, true]),
    ("UTF-16BE", [0xFE, 0xFF], [true, false, true, false]),
]

/// Converts text to UTF-8 with iconv(3), without a cut unit at its end; nil if the system has no converter.
private func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    let width = encoding.hasPrefix("UTF-32") ? 4 : encoding.hasPrefix("UTF-16") ? 2 : 1
    var text: [UInt8] = []
    bytes.withUnsafeBytes { input in
        // iconv only reads the input, although its type says otherwise.
        var source = UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
        let end = input.count / width * width
        var left = end
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) { piece in
            repeat {
                // At the end, nil asks for letters that an accent could have followed.
                if left == 0 { source = nil }
                var (target, room) = (piece.baseAddress, piece.count)
                let isInvalid = iconv(converter, &source, &left, &target, &room) == -1 && errno != E2BIG
                text += UnsafeRawBufferPointer(piece).prefix(piece.count - room)
                if isInvalid, left > 0 {
                    let count = max(width, isPair(input[(end - left)...], in: encoding) ? 2 : 1)
                    text += String(count == 1 ? windows1252Scalar(input[end - left]) : "\u{FFFD}").utf8
                    source = source?.advanced(by: count)
                    left -= count
                }
            } while source != nil
        }
    }
    return withoutNULs(text)
}

/// Returns whether invalid bytes begin with two that are as a pair, but no character.
private func isPair(_ bytes: Slice<UnsafeRawBufferPointer>, in encoding: String) -> Bool {
    switch (bytes.first ?? 0, bytes.dropFirst().first ?? 0) {
    case (0x21...0x7E, 0x21...0x7E): true
    case (0x81...0xFE, 0x80...0xFF): ["BIG5-HKSCS", "CP932", "CP949", "EUC-JP-MS", "GB18030"].contains(encoding)
    default: false
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
