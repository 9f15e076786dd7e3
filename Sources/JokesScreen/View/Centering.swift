import TextLayout

/// Returns the text in lines of at most `width` columns, in the middle of that width. A text with several paragraphs
/// moves as a block, so that its indentation stays.
func centered(_ text: String, _ style: Style = .plain, marking marks: [Range<Int>] = [], to width: Int) -> [Line] {
    let lines = wrapped(text, style, marking: marks, to: width)
    let widest = lines.map(\.columns).max() ?? 0
    let isBlock = text.contains("\n")
    return lines.map { line in
        Line(String(repeating: " ", count: (width - (isBlock ? widest : line.columns)) / 2)) + line
    }
}
