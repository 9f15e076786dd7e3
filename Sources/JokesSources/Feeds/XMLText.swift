import Glibc
import JokesCore

/// A document cannot be read as XML. The error does not quote it.
struct XMLError: Error, Equatable {
    /// From 1 on.
    let line: Int
    let reason: String

    init(line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }
}

/// Returns the text of a document in UTF-8, without a byte order mark. O(n).
///
/// The encoding is that of the byte order mark, else the one that the transport names, else that of the declaration, else
/// UTF-8 (RFC 7303, 3). As in browsers, text in ASCII or Latin-1 is read as windows-1252.
func xmlText(of bytes: [UInt8], charset: String?) throws(XMLError) -> [UInt8] {
    let start = bytes.prefix(4)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return try validUTF8(Array(bytes.dropFirst(3))) }
    // Without a mark, the first `<` and the byte after it show the encoding (XML 1.0, appendix F).
    if start.starts(with: [0xFE, 0xFF]) { return try converted(bytes.dropFirst(2), from: "UTF-16BE") }
    if start.starts(with: [0xFF, 0xFE]) { return try converted(bytes.dropFirst(2), from: "UTF-16LE") }
    if start.starts(with: [0x00, 0x3C, 0x00]) { return try converted(bytes[...], from: "UTF-16BE") }
    if start.count == 4, start[0] == 0x3C, start[1] == 0, start[3] == 0 {
        return try converted(bytes[...], from: "UTF-16LE")
    }
    let name = charset ?? declaredEncoding(of: bytes) ?? "utf-8"
    switch name.lowercased() {
    case "utf-8", "utf8": return try validUTF8(bytes)
    case "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252":
        return try converted(bytes[...], from: "windows-1252")
    case let name where isWebEncoding(name): return try converted(bytes[...], from: name)
    default:
        let name = line(name, limit: 40)
        throw XMLError(line: 1, name.isEmpty ? "unknown encoding" : "unknown encoding '\(name)'")
    }
}

/// Returns whether the name is of an encoding of the WHATWG's Encoding Standard that has no shift states. glibc has many
/// more converters, and the unusual ones have had vulnerabilities.
private func isWebEncoding(_ name: String) -> Bool {
    let families = ["iso-8859-", "windows-125", "koi8-"]
    let others = ["big5", "euc-jp", "euc-kr", "gb18030", "gb2312", "gbk", "macintosh", "shift_jis", "windows-874"]
    return isPlainWord(name) && (others.contains(name) || families.contains(where: name.hasPrefix))
}

private func validUTF8(_ bytes: [UInt8]) throws(XMLError) -> [UInt8] {
    do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span)
    } catch {
        throw XMLError(line: lineNumber(of: error.byteOffsets.lowerBound, in: bytes), "not UTF-8 text")
    }
    return bytes
}

/// Converts text to UTF-8 with iconv(3).
private func converted(_ bytes: ArraySlice<UInt8>, from encoding: String) throws(XMLError) -> [UInt8] {
    guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else {
        throw XMLError(line: 1, "this system has no converter for encoding '\(encoding)'")
    }
    defer { iconv_close(converter) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 4)
    var rest = bytes
    while !rest.isEmpty {
        let (count, code) = convert(rest, with: converter, to: &text)
        rest = rest.dropFirst(count)
        if code == 0 || code == E2BIG { continue }
        guard code == EILSEQ, encoding == "windows-1252", let byte = rest.popFirst() else {
            throw XMLError(line: lineNumber(of: text.count, in: text), "invalid \(encoding) text")
        }
        // In the Encoding Standard, the five bytes without a character are C1 controls.
        text += [0xC2, byte]
    }
    return text
}

/// Converts a piece of text. Returns the number of bytes that are converted, and the error that stopped the conversion, or 0.
private func convert(_ bytes: ArraySlice<UInt8>, with converter: iconv_t, to text: inout [UInt8]) -> (Int, Int32) {
    bytes.withUnsafeBytes { input in
        // iconv only reads the input, although its type says otherwise.
        var source = UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
        var left = input.count
        var code: Int32 = 0
        text += [UInt8](unsafeUninitializedCapacity: 64 << 10) { piece, count in
            piece.withMemoryRebound(to: CChar.self) { piece in
                var (target, room) = (piece.baseAddress, piece.count)
                if iconv(converter, &source, &left, &target, &room) == -1 { code = errno }
                count = piece.count - room
            }
        }
        return (input.count - left, code)
    }
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

func lineNumber(of index: Int, in bytes: [UInt8]) -> Int { 1 + bytes.prefix(index).count { $0 == UInt8(ascii: "\n") } }
