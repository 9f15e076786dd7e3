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
/// another width, becomes U+FFFD, which has one column.
package func glyphs(of cluster: Character, width: (Unicode.Scalar) -> Int) -> [Glyph] {
    var glyphs: [Glyph] = []
    var isShown = true
    let isEmoji = cluster.unicodeScalars.first?.properties.isEmoji == true
    for scalar in cluster.unicodeScalars {
        if scalar.properties.isVariationSelector || (isEmoji && scalar == "\u{200D}") { continue }
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
        return [Glyph(base: "\u{FFFD}")] + blanks(needed - 1)
    }
    return [first] + blanks(needed - first.base.columns)
}

private func blanks(_ count: Int) -> [Glyph] { Array(repeating: Glyph(base: " "), count: max(0, count)) }
