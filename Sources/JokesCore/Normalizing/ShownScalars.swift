/// Returns the visible scalars of a text, without terminal sequences; line ends are LF, tabs stay.
///
/// Joiners, variation selectors and tags stay if a script or emoji needs them. A letter keeps its first eight marks, more
/// than any script needs.
func shownScalars(of text: String) -> [Unicode.Scalar] {
    let scalars = Array(text.unicodeScalars)
    var shown = ShownScalars()
    var index = 0
    while index < scalars.count {
        if let end = endOfTerminalSequence(in: scalars, at: index) {
            index = end
            continue
        }
        let isCarriageReturn = scalars[index] == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
        if !isCarriageReturn { shown.append(scalars[index]) }
        index += 1
    }
    return shown.kept
}

private struct ShownScalars {
    private(set) var kept: [Unicode.Scalar] = []
    private var last: Unicode.Scalar = "\n"
    /// A joiner that stays if the next scalar can be joined.
    private var joiner: Unicode.Scalar?
    /// The number of marks of the last letter.
    private var marks = 0

    mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x0A...0x0D, 0x2028, 0x2029: keep("\n")
        case 0x09: keep("\t")
        case 0x200C, 0x200D: joiner = last.isJoinable ? scalar : nil
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F:
            if last.takesVariationSelector { keep(scalar) }
        case 0xE0020...0xE007F:
            // A flag such as that of Scotland: a black flag and its name in tags.
            if last == "\u{1F3F4}" || (0xE0020..<0xE007F).contains(last.value) { keep(scalar) }
        case 0x80...0x9F:
            // Quotes and dashes of windows-1252, in a text that was decoded as Latin-1.
            let meant = windows1252Scalar(UInt8(scalar.value))
            if (0x2010...0x203A).contains(meant.value) { keep(meant) }
        default: if !scalar.isControl && !scalar.isHidden { keep(scalar) }
        }
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        marks = scalar.isMark ? marks + 1 : 0
        if marks > 8 { return }
        if let joiner, scalar.isJoinable { kept.append(joiner) }
        joiner = nil
        kept.append(scalar)
        last = scalar
    }
}

extension Unicode.Scalar {
    fileprivate var isJoinable: Bool { !isASCII && !isBlank }

    /// True if it is a mark on the letter before it.
    fileprivate var isMark: Bool {
        if value < 0x300 { return false }
        let category = properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    /// True if a variation selector may follow. In ASCII, only the characters of keycaps.
    fileprivate var takesVariationSelector: Bool {
        switch value {
        case 0x23, 0x2A, 0x30...0x39: true
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F: false
        default: isJoinable
        }
    }

    /// True if it is a default ignorable of Unicode, an interlinear annotation, or not a character.
    var isHidden: Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x3164, 0xFDD0...0xFDEF, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default:
            value & 0xFFFE == 0xFFFE
        }
    }
}
