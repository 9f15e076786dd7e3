/// Returns the text for a terminal: every character is visible, and none controls the terminal.
///
/// Control characters that are whitespace (line feed, tab, U+2028 …) become spaces; other control characters (C0, DEL, C1)
/// and unassigned code points become U+FFFD. Bidirectional controls and invisible characters are removed. U+200C and U+200D
/// stay between emoji and between letters of joining scripts. A character keeps at most four marks. Idempotent. O(n)
package func sanitized(_ text: String) -> String { sanitized(text, tracking: []).text }

/// Returns the text with each of its lines `sanitized`; line feeds stay.
package func sanitizedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }.joined(separator: "\n")
}

/// Returns the `sanitized` text, and the new values of `offsets`: byte offsets between code points, in order. O(n)
package func sanitized(_ text: String, tracking offsets: [Int]) -> (text: String, offsets: [Int]) {
    if text.utf8.allSatisfy(isPrintableASCII) { return (text, offsets) }
    var sanitizer = Sanitizer()
    var rest = text.unicodeScalars[...]
    var (offset, moved): (Int, [Int]) = (0, [])
    while let scalar = rest.popFirst() {
        while moved.count < offsets.count, offsets[moved.count] <= offset { moved.append(sanitizer.byteCount) }
        sanitizer.append(scalar, before: rest.first)
        offset += UTF8.width(scalar)
    }
    moved += Array(repeating: sanitizer.byteCount, count: offsets.count - moved.count)
    return (String(sanitizer.kept), moved)
}

/// The maximum number of marks of a character. A cell of ncurses has a character and four marks.
package let maxMarks = 4

private struct Sanitizer {
    var kept = String.UnicodeScalarView()
    private var marks = 0
    var byteCount: Int { String(kept).utf8.count }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    mutating func append(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
        switch scalar.properties.generalCategory {
        case .control: append(scalar.properties.isWhitespace ? " " : Self.replacement)
        case .lineSeparator, .paragraphSeparator: append(" ")
        case .unassigned, .surrogate: append(Self.replacement)
        case .format: if joins(scalar, before: next) { kept.append(scalar) }
        case .nonspacingMark, .enclosingMark: appendMark(scalar)
        default: if !scalar.properties.isDefaultIgnorableCodePoint { append(scalar) }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.columns > 0 {
            kept.append(scalar)
            marks = 0
        } else if let last = kept.last, "\(last)\(scalar)".count == 1 {
            // A Hangul vowel or final consonant that continues a syllable. Without one, it has no columns.
            appendMark(scalar)
        } else {
            append(Self.replacement)
        }
    }

    /// Appends a mark if there is a character for it, with fewer than the maximum of marks.
    private mutating func appendMark(_ mark: Unicode.Scalar) {
        guard let last = kept.last, marks < maxMarks else { return }
        let isSelector = mark == emojiSelector || mark == "\u{FE0E}"
        guard isSelector ? last.properties.isEmoji : !mark.properties.isDefaultIgnorableCodePoint else { return }
        kept.append(mark)
        marks += 1
    }

    private func joins(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        guard scalar == "\u{200D}" || scalar == "\u{200C}", let last = kept.last, let next else { return false }
        if last.isPictograph || last == emojiSelector { return scalar == "\u{200D}" && next.isPictograph }
        return last.isOfJoiningScript && next.isOfJoiningScript && next.properties.generalCategory == .otherLetter
    }
}

extension Unicode.Scalar {
    /// True if it is an emoji, without the digits, signs and halves of flags that have this property, too.
    fileprivate var isPictograph: Bool {
        value > 0xFF && properties.isEmoji && !isRegionalIndicator
    }

    /// True if it is in a script whose letters change with their neighbors: Arabic to Arabic Extended-A, the Indic scripts,
    /// Myanmar, Khmer, Mongolian.
    fileprivate var isOfJoiningScript: Bool {
        switch value {
        case 0x0600...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F, 0x1780...0x18AF: true
        default: false
        }
    }
}
