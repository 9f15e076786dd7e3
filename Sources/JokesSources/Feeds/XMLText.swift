import JokesCore

/// Why a document is no XML that can be read. Nothing of the document is quoted: it may be anything.
struct XMLError: Error, Equatable {
    /// From 1 on.
    let line: Int
    /// The end of a sentence that begins with the line.
    let reason: String

    init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// The document's text in UTF-8, without a byte order mark.
///
/// The encoding is that of the byte order mark, else the one that the transport named, else that of the declaration,
/// else UTF-8 (RFC 7303, 3). As browsers do, what calls itself ASCII or Latin-1 is read as windows-1252. O(n).
///
/// - Throws: `XMLError` where the encoding is another, which it names if it can be printed, or the text is not in it.
func xmlText(of bytes: [UInt8], charset: String?) throws(XMLError) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try validUTF8(Array(bytes.dropFirst(3))) }
    // Without a mark, `<` and what follows tells (XML 1.0, appendix F).
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: false) }
    if bytes.starts(with: [0x00, 0x3C, 0x00]) { return try utf8(ofUTF16: bytes[...], isBigEndian: true) }
    if bytes.count > 3, bytes[0] == 0x3C, bytes[1] == 0, bytes[3] == 0 {
        return try utf8(ofUTF16: bytes[...], isBigEndian: false)
    }
    let encoding = charset ?? declaredEncoding(of: bytes) ?? "utf-8"
    switch encoding.lowercased() {
    case "utf-8", "utf8": return try validUTF8(bytes)
    case "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252":
        return bytes.reduce(into: []) { text, byte in
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: String(windows1252Scalar(byte)).utf8)
            }
        }
    default:
        let name = line(encoding, limit: 40)
        throw XMLError(line: 1, name.isEmpty ? "unknown encoding" : "unknown encoding '\(name)'")
    }
}

private func validUTF8(_ bytes: [UInt8]) throws(XMLError) -> [UInt8] {
    do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span)
    } catch {
        throw XMLError(line: lineNumber(of: error.byteOffsets.lowerBound, in: bytes), "not UTF-8 text")
    }
    return bytes
}

private func utf8(ofUTF16 bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(XMLError) -> [UInt8] {
    let start = bytes.startIndex
    let units = (0..<bytes.count / 2).lazy.map { index in
        let (first, second) = (UInt16(bytes[start + 2 * index]), UInt16(bytes[start + 2 * index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
        throw XMLError(line: 1, "invalid UTF-16")
    }
    return Array(text.utf8)
}

/// The encoding in `<?xml version="1.0" encoding="…"?>`, which begins the document.
private func declaredEncoding(of bytes: [UInt8]) -> String? {
    let head = bytes.prefix(256)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = String(decoding: head[..<end], as: UTF8.self)
    guard let name = declaration.split(separator: "encoding", maxSplits: 1).dropFirst().first else { return nil }
    let value = name.drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
}

/// The number of the line that the byte is in.
func lineNumber(of index: Int, in bytes: [UInt8]) -> Int {
    1 + bytes.prefix(index).count { $0 == UInt8(ascii: "\n") }
}
