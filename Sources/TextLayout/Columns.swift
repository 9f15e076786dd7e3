// The columns of text do not depend on the locale, so that tests can compare screens as text. East Asian Width is that of
// Unicode 17.0 (W and F are wide, ambiguous is narrow). Emoji presentation and general categories are those of Swift.

extension Unicode.Scalar {
    /// The columns of the scalar alone: 0 for a mark on the scalar before it, otherwise 1 or 2.
    package var columns: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if isHangulVowelOrFinal { return 0 }
        // A flag is two of these. One alone is a letter.
        if isRegionalIndicator { return 1 }
        return isWide || properties.isEmojiPresentation ? 2 : 1
    }

    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// True if it is a Jamo that composes with the leading consonant before it.
    private var isHangulVowelOrFinal: Bool {
        (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
    }

    private var isWide: Bool {
        guard value >= wideRanges[0].lowerBound else { return false }
        var (low, high) = (0, wideRanges.count)
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }
}

extension Character {
    /// The columns of the grapheme cluster in a terminal: 2 for an emoji, otherwise the sum of its scalars, which is more
    /// than 2 for some Indic clusters. O(scalars)
    package var columns: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.dropFirst().isEmpty { return first.columns }
        return isEmojiSequence ? 2 : scalars.reduce(0) { $0 + $1.columns }
    }

    /// True if a cluster of several scalars is an emoji: a flag, a keycap, a sequence with U+200D, U+FE0F or a skin tone.
    var isEmojiSequence: Bool {
        guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
        if first.isRegionalIndicator { return unicodeScalars.dropFirst().first?.isRegionalIndicator == true }
        if first.properties.isEmojiPresentation { return true }
        return unicodeScalars.contains {
            $0 == emojiSelector || (first.properties.isEmojiModifierBase && $0.properties.isEmojiModifier)
        }
    }
}

extension StringProtocol {
    /// The columns of the text in a terminal: the sum of its clusters. O(n)
    package var columns: Int {
        if utf8.allSatisfy(isPrintableASCII) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }
}

/// Returns whether the byte is one column and no control character.
func isPrintableASCII(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

/// U+FE0F, which selects the emoji of a character.
let emojiSelector: Unicode.Scalar = "\u{FE0F}"

/// The wide scalars without emoji presentation. Gaps of unassigned code points are filled.
private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x3029, 0x3030...0x303E,
    0x3041...0x3096, 0x309B...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x1B2FB,
    0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x33479,
]
