package import TextLayout

/// All that a screen shows at one moment.
package struct Frame: Hashable, Sendable {
    /// From the top; what has no line is blank.
    package var lines: [Line]
    /// Where a visible cursor stands; nil hides it.
    package var cursor: Position?

    package init(lines: [Line], cursor: Position? = nil) {
        self.lines = lines
        self.cursor = cursor
    }

    /// The text of the lines without styles and without blanks at their ends, for tests and pipes.
    package var plainText: String {
        lines.map { line in
            let text = line.plainText
            let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
            return String(text[..<end])
        }.joined(separator: "\n")
    }
}
