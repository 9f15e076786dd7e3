/// Makes text from anywhere fit to be stored and shown: what is left has no control character but the line feed.
///
/// In this order: overstrikes (`x`, backspace, `x`) are resolved; terminal sequences go as a whole, so that neither
/// their introducer nor their payload stays behind; line ends become LF, tabs a space; control characters,
/// bidirectional embeddings, overrides and isolates, and whatever else is there without being seen go; lines lose their
/// trailing blanks and the indentation that all have in common, so that a picture made of letters keeps its shape;
/// there is no empty line at either end and never more than one in a row. Letters are in Unicode's composed form (NFC),
/// so that texts that Swift calls equal are equal as bytes too. Pure and idempotent. O(n), without a copy where the text
/// is clean already.
package func cleanText(_ raw: String) -> String {
    if isPlainlyClean(raw) { return raw }
    let resolved = raw.utf8.contains(0x08) ? withoutOverstrikes(raw) : raw
    // Twice, because what goes in between may have kept a letter and its accent apart.
    let shown = canonicalForm(String(shownScalars(of: canonicalForm(resolved))))
    return tidyLines(shown)
}

/// True only for text that cleaning leaves alone; not for all such, but for nearly all that is met.
private func isPlainlyClean(_ text: String) -> Bool {
    var last: UInt32?
    var lineFeeds = 0
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x21...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x400...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x4E00...0x9FFF,
            0x1F300...0x1F64F:
            lineFeeds = 0
        case 0x20:
            if last == nil { return false }
            lineFeeds = 0
        case 0x0A:
            if last == nil || last == 0x20 || lineFeeds == 2 { return false }
            lineFeeds += 1
        default:
            return false
        }
        last = scalar.value
    }
    return last != 0x20 && last != 0x0A
}

private func tidyLines(_ text: String) -> String {
    var lines: [Substring.UnicodeScalarView] = []
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
        let end = line.lastIndex { !$0.isBlank }
        let trimmed = end.map { line[...$0] } ?? line.prefix(0)
        if trimmed.isEmpty && lines.last?.isEmpty != false { continue }
        lines.append(trimmed)
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let indentation = lines.lazy.filter { !$0.isEmpty }.map { $0.prefix(while: \.isBlank).count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
}

extension Unicode.Scalar {
    /// Whitespace but the line ends.
    var isBlank: Bool {
        switch value {
        case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}
