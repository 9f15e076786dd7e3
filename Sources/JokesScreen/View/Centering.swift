import TextLayout

/// Returns the text in lines of at most `width` columns, in the middle of that width. The lines are about equally long. A
/// text with several paragraphs moves as a block, so that its indentation stays.
func centered(_ text: String, _ style: Style = .plain, marking marks: [Range<Int>] = [], to width: Int) -> [Line] {
    let isBlock = text.contains("\n")
    var lines = wrapped(text, style, marking: marks, to: width)
    if !isBlock && lines.count > 1 {
        // The narrowest lines of the same number.
        var (tooNarrow, fitting) = (1, width)
        while fitting - tooNarrow > 1 {
            let middle = (tooNarrow + fitting) / 2
            let narrower = wrapped(text, style, marking: marks, to: middle)
            if narrower.count == lines.count { (fitting, lines) = (middle, narrower) } else { tooNarrow = middle }
        }
    }
    let widest = lines.map(\.columns).max() ?? 0
    return lines.map { line in
        Line(String(repeating: " ", count: (width - (isBlock ? widest : line.columns)) / 2)) + line
    }
}
