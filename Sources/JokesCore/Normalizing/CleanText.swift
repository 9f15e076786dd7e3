/// Makes text from anywhere fit to be stored and shown: what is left has no control character but the line feed.
///
/// In this order: overstrikes (`x`, backspace, `x`) are resolved; terminal sequences go as a whole, so that neither
/// their introducer nor their payload stays behind; line ends become LF, tabs a space; control characters,
/// bidirectional overrides and isolates, and invisible fillers go; lines lose their trailing blanks, the text its
/// leading and trailing ones, and more than one empty line in a row becomes one. Pure and idempotent. O(n).
package func cleanText(_ raw: String) -> String {
    var cleaner = TextCleaner()
    var rest = raw.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        cleaner.take(scalar, &rest)
    }
    return tidyLines(String(cleaner.kept))
}

private struct TextCleaner {
    var kept = String.UnicodeScalarView()
    /// The scalar that a backspace took away, until the next one says whether it was underlined.
    private var struck: Unicode.Scalar?

    mutating func take(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        switch scalar.value {
        case 0x08:
            struck = kept.last.flatMap { $0 == "\n" ? nil : $0 }
            if struck != nil { kept.removeLast() }
            return
        case 0x1B:
            skipEscape(&rest)
        case 0x9B:
            skipControlSequence(&rest)
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            skipControlString(&rest)
        case 0x0D:
            if rest.first == "\n" { rest.removeFirst() }
            append("\n")
        case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029:
            append("\n")
        case 0x09:
            append(" ")
        default:
            if isShown(scalar) { append(scalar) }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        // An underline struck over a letter leaves the letter.
        kept.append(scalar == "_" ? struck ?? scalar : scalar)
        struck = nil
    }

    private func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        case 0xAD, 0x34F, 0x180E, 0x200B, 0x2060...0x2064, 0xFEFF: false
        case 0x202A...0x202E, 0x2066...0x206F: false
        case 0xFFF9...0xFFFB: false
        default: scalar.properties.generalCategory != .unassigned
        }
    }

    // MARK: Terminal sequences, ECMA-48

    private func skipEscape(_ rest: inout Substring.UnicodeScalarView) {
        guard let introducer = rest.first else { return }
        switch introducer {
        case "[":
            rest.removeFirst()
            skipControlSequence(&rest)
        case "]", "P", "X", "^", "_":
            rest.removeFirst()
            skipControlString(&rest)
        case "\u{20}"..."\u{2F}":
            while let next = rest.first, ("\u{20}"..."\u{2F}").contains(next) { rest.removeFirst() }
            if let final = rest.first, ("\u{30}"..."\u{7E}").contains(final) { rest.removeFirst() }
        case "7", "8", "=", ">", "c", "D", "E", "H", "M", "N", "O", "Z":
            rest.removeFirst()
        default:
            break
        }
    }

    private func skipControlSequence(_ rest: inout Substring.UnicodeScalarView) {
        while let next = rest.first, ("\u{20}"..."\u{3F}").contains(next) { rest.removeFirst() }
        if let final = rest.first, ("\u{40}"..."\u{7E}").contains(final) { rest.removeFirst() }
    }

    /// To BEL or ST. Where neither comes before the line ends, only the introducer goes: the text is not swallowed.
    private func skipControlString(_ rest: inout Substring.UnicodeScalarView) {
        var ahead = rest
        while let scalar = ahead.popFirst() {
            switch scalar.value {
            case 0x07, 0x9C:
                rest = ahead
                return
            case 0x1B where ahead.first == "\\":
                rest = ahead.dropFirst()
                return
            case 0x0A, 0x0D:
                return
            default:
                continue
            }
        }
    }
}

private func tidyLines(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let end = line.lastIndex { !$0.isWhitespace }
        let trimmed = end.map { line[...$0] } ?? ""
        if trimmed.isEmpty && lines.last?.isEmpty != false { continue }
        lines.append(trimmed)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first else { return "" }
    // Only the first line's indentation goes: a picture made of letters keeps its shape below it.
    lines[0] = first.drop { $0.isWhitespace }
    return lines.joined(separator: "\n")
}
