package import TextLayout

/// The content of the screen.
package struct Frame: Hashable, Sendable {
    /// The lines from the top; the rest of the screen is blank.
    package var lines: [Line]
    /// The position of the cursor; nil hides the cursor.
    package var cursor: Position?

    package init(lines: [Line], cursor: Position? = nil) {
        self.lines = lines
        self.cursor = cursor
    }

    /// The text of the lines without trailing spaces.
    package var plainText: String {
        lines.map { line in
            let text = line.plainText
            let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
            return String(text[..<end])
        }.joined(separator: "\n")
    }
}
