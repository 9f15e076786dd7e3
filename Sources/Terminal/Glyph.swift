import TextLayout

/// The content of one or two cells: a character with its combining marks.
package struct Glyph: Equatable {
    package var base: Unicode.Scalar
    package var marks: [Unicode.Scalar] = []
}

/// The glyphs of a cluster, which take the same columns in every terminal.
///
/// Terminals differ over sequences: a family joined by U+200D takes two columns in some and six in others. So only the first
/// emoji of a sequence is shown, with spaces up to the width. A character that the C library does not know, or has with
/// another width, becomes `replacement`, which has one column.
package func glyphs(of cluster: Character, replacement: Unicode.Scalar, width: (Unicode.Scalar) -> Int) -> [Glyph] {
    var glyphs: [Glyph] = []
    var isShown = true
    let isSnapshot = cluster.unicodeScalars.first?.properties.isEmoji == true
    for scalar in cluster.unicodeScalars {
        if scalar.properties.isVariationSelector || (isSnapshot && scalar == "\u{200D}") { continue }
        let columns = scalar.columns
        isShown = isShown && width(scalar) == columns
        if columns > 0 || glyphs.isEmpty {
            glyphs.append(Glyph(base: scalar))
        } else if glyphs[glyphs.count - 1].marks.count < maxMarks {
            glyphs[glyphs.count - 1].marks.append(scalar)
        }
    }
    let needed = cluster.columns
    let taken = glyphs.reduce(0) { $0 + $1.base.columns }
    if isShown && taken == needed { return glyphs }
    guard isShown, let first = glyphs.first, first.base.columns <= needed else {
        return [Glyph(base: replacement)] + blanks(needed - 1)
    }
    return [first] + blanks(needed - first.base.columns)
}

private func blanks(_ count: Int) -> [Glyph] { Array(repeating: Glyph(base: " "), count: max(0, count)) }

/// The ASCII character that takes the place of a symbol of the viewer if the encoding is not UTF-8; nil for other characters.
package func asciiSymbol(for character: Character) -> Unicode.Scalar? {
    switch character {
    case "\u{2605}": "*"
    case "\u{2022}": "+"
    case "\u{25CF}": "*"
    case "\u{25CB}": "o"
    case "\u{B7}": "-"
    case "\u{25B8}", "\u{2192}": ">"
    case "\u{2190}": "<"
    case "\u{25BE}", "\u{2193}": "v"
    case "\u{2191}": "^"
    case "\u{2026}": "."
    case "\u{2014}", "\u{2500}": "-"
    case "\u{2502}": "|"
    case "\u{256D}", "\u{256E}", "\u{2570}", "\u{256F}", "\u{251C}", "\u{2524}", "\u{252C}", "\u{2534}": "+"
    default: nil
    }
}
