import TextLayout

/// Cleans a text for the store and for people. The result has no control character except the line feed.
///
/// In this order: terminal sequences are removed as a whole; line ends become LF; C1 controls that are quotes or dashes in
/// windows-1252 become these; other control characters, bidirectional controls, invisible characters and all but eight
/// marks of a letter are removed; tabs become spaces up to the next multiple of 8 columns; trailing spaces and the common
/// indentation are removed, so ASCII art keeps its shape; empty lines at the ends and repeated ones are removed. Letters are
/// in Unicode's composed form (NFC), so equal texts have equal bytes. Idempotent. O(n), without a copy of a clean text.
package func cleanText(_ raw: String) -> String {
    switch isClean(raw) {
    case true?: return raw
    case false?: return tidyLines(Array(raw.unicodeScalars))
    case nil: break
    }
    // Twice, because a removed scalar may have been between a letter and its accent.
    let shown = canonicalForm(string(of: shownScalars(of: canonicalForm(raw))))
    return tidyLines(Array(shown.unicodeScalars))
}

/// Returns whether the spaces and lines of a text are clean; nil if the text has scalars that may need cleaning themselves.
private func isClean(_ text: String) -> Bool? {
    let ends = [text.utf8.first, text.utf8.last]
    var isClean = !ends.contains(0x20) && !ends.contains(0x0A)
    var last: UInt32 = 0
    var lineFeeds = 0
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x400...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x4E00...0x9FFF,
            0x1F300...0x1F64F:
            lineFeeds = 0
        case 0x0A:
            if last == 0x20 || lineFeeds == 2 { isClean = false }
            lineFeeds += 1
        case 0x09: (isClean, lineFeeds) = (false, 0)
        default: return nil
        }
        last = scalar.value
    }
    return isClean
}

private func tidyLines(_ text: [Unicode.Scalar]) -> String {
    var lines: [ArraySlice<Unicode.Scalar>] = []
    for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let line = raw.contains("\t") ? expandingTabs(raw) : raw
        let end = line.lastIndex { !$0.isBlank }
        let trimmed = end.map { line[...$0] } ?? line.prefix(0)
        if trimmed.isEmpty && lines.last?.isEmpty != false { continue }
        lines.append(trimmed)
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let indentation = lines.lazy.filter { !$0.isEmpty }.map { $0.prefix(while: \.isBlank).count }.min() ?? 0
    return string(of: Array(lines.map { $0.dropFirst(indentation) }.joined(separator: ["\n"])))
}

/// Returns the line with spaces up to the next multiple of 8 columns in place of each tab.
private func expandingTabs(_ line: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var expanded: [Unicode.Scalar] = []
    var column = 0
    for (number, part) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
        if number > 0 {
            let width = 8 - column % 8
            expanded.append(contentsOf: repeatElement(" ", count: width))
            column += width
        }
        expanded.append(contentsOf: part)
        column += string(of: Array(part)).columns
    }
    return expanded[...]
}

/// Returns the scalars as a text. O(n), several times faster than `String.UnicodeScalarView.append`.
private func string(of scalars: [Unicode.Scalar]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count + scalars.count / 2)
    for scalar in scalars {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if let encoded = UTF8.encode(scalar) {
            bytes.append(contentsOf: encoded)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

extension Unicode.Scalar {
    /// True if it is whitespace, but not a line end.
    var isBlank: Bool {
        switch value {
        case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}
