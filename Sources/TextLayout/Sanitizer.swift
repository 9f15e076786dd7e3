/// Makes any text safe to paint: what is left has a place on the screen and no other meaning to a terminal.
///
/// It is the last step before a terminal. Control characters that are white space (line feed, tab, U+2028 …) become
/// spaces; other control characters (C0, DEL, C1) and unassigned code points become U+FFFD, so they are visible;
/// bidirectional controls and invisible characters are removed. U+200C and U+200D stay between emoji and between
/// letters of joining scripts. A character keeps at most four marks. Idempotent. O(n)
package func sanitized(_ text: String) -> String {
    sanitized(text, tracking: []).text
}

/// The text with each of its lines `sanitized`; line feeds stay.
package func sanitizedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }.joined(separator: "\n")
}

/// Returns the `sanitized` text, and the new positions of `places`: byte offsets between code points, in order. O(n)
package func sanitized(_ text: String, tracking places: [Int]) -> (text: String, places: [Int]) {
    if text.utf8.allSatisfy(isPrintableASCII) { return (text, places) }
    var sanitizer = Sanitizer()
    var rest = text.unicodeScalars[...]
    var (offset, found): (Int, [Int]) = (0, [])
    while let scalar = rest.popFirst() {
        while found.count < places.count, places[found.count] <= offset { found.append(sanitizer.bytes) }
        sanitizer.take(scalar, before: rest.first)
        offset += UTF8.width(scalar)
    }
    found += Array(repeating: sanitizer.bytes, count: places.count - found.count)
    return (String(sanitizer.kept), found)
}

/// Marks that stay on one character. ncurses holds a character and four in a cell.
package let maximumMarks = 4

private struct Sanitizer {
    var kept = String.UnicodeScalarView()
    private var marks = 0

    /// How long it is, in UTF-8.
    var bytes: Int { String(kept).utf8.count }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
        switch scalar.properties.generalCategory {
        case .control:
            append(scalar.properties.isWhitespace ? " " : Self.replacement)
        case .lineSeparator, .paragraphSeparator:
            append(" ")
        case .unassigned, .surrogate:
            append(Self.replacement)
        case .format:
            if joins(scalar, before: next) { kept.append(scalar) }
        case .nonspacingMark, .enclosingMark:
            takeMark(scalar)
        default:
            if !scalar.properties.isDefaultIgnorableCodePoint { append(scalar) }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.columns > 0 {
            kept.append(scalar)
            marks = 0
        } else if kept.last.map({ scalar.composes(with: $0) }) == true {
            takeMark(scalar)
        } else {
            append(Self.replacement)
        }
    }

    /// A mark needs something to sit on, and there is room for few.
    private mutating func takeMark(_ mark: Unicode.Scalar) {
        guard let last = kept.last else { return }
        if mark == emojiSelector || mark == "\u{FE0E}" {
            guard last.properties.isEmoji else { return }
        } else if mark.properties.isDefaultIgnorableCodePoint {
            return
        }
        guard marks < maximumMarks else { return }
        kept.append(mark)
        marks += 1
    }

    private func joins(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        guard scalar == "\u{200D}" || scalar == "\u{200C}", let last = kept.last, let next else { return false }
        if last.isPicture || last == emojiSelector { return scalar == "\u{200D}" && next.isPicture }
        return last.isOfJoiningScript && next.isOfJoiningScript
            && next.properties.generalCategory == .otherLetter
    }
}

extension Unicode.Scalar {
    /// Whether a Hangul vowel or final consonant makes a syllable with what is before it, as the rules GB6 to GB8 of
    /// Unicode's text segmentation have it. Without one it has no columns and no place.
    fileprivate func composes(with last: Unicode.Scalar) -> Bool {
        let isVowel = (0x1160...0x11A7).contains(value) || (0xD7B0...0xD7C6).contains(value)
        switch last.value {
        case 0x1100...0x115F, 0xA960...0xA97C: return isVowel
        case 0x1160...0x11A7, 0xD7B0...0xD7C6: return true
        case 0x11A8...0x11FF, 0xD7CB...0xD7FB: return !isVowel
        // A syllable of a consonant and a vowel takes either; one with a final takes more finals.
        case 0xAC00...0xD7A3: return !isVowel || (last.value - 0xAC00) % 28 == 0
        default: return false
        }
    }

    /// An emoji, apart from the digits, signs and halves of flags that are so called too.
    fileprivate var isPicture: Bool {
        value > 0xFF && properties.isEmoji && !isRegionalIndicator
    }

    /// Scripts whose letters change with their neighbours: Arabic to Arabic Extended-A, the Indic ones, Myanmar, Khmer,
    /// Mongolian.
    fileprivate var isOfJoiningScript: Bool {
        switch value {
        case 0x0600...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F, 0x1780...0x18AF: true
        default: false
        }
    }
}
