/// Sanitizes text and breaks it into lines.
///
/// A line ends at a line feed, between two words, or at a wide character, as is usual in East Asian text. A word that
/// is wider than the line is broken between clusters. A paragraph keeps its indentation. If there are more lines than the
/// limit, the last one ends with an ellipsis. The few ranges in `marks`, in bytes of the text, get the style `found`: they
/// are in order, and do not overlap. The first line may have a width of its own. O(shown paragraphs)
package func wrapped(
    _ text: String, _ style: Style = .plain, marking marks: [Range<Int>] = [], to columns: Int, first: Int? = nil,
    atMost limit: Int = .max
) -> [Line] {
    let found = marks.map { StyledBytes(range: $0, style: .found) }
    return wrapped(text, style, found, to: columns, first: first ?? columns, atMost: limit)
}

extension Line {
    /// Returns the line broken into lines, like other text.
    package func wrapped(to columns: Int) -> [Line] {
        var end = 0
        let styles = spans.map { span in
            defer { end += span.text.utf8.count }
            return StyledBytes(range: end..<end + span.text.utf8.count, style: span.style)
        }
        return TextLayout.wrapped(plainText, .plain, styles, to: columns, first: columns, atMost: .max)
    }
}

/// A range of a text in bytes with a style of its own.
private struct StyledBytes {
    let range: Range<Int>
    let style: Style
}

private func wrapped(
    _ text: String, _ style: Style, _ styles: [StyledBytes], to columns: Int, first: Int, atMost limit: Int
) -> [Line] {
    guard columns > 0, first > 0, limit > 0 else { return [] }
    var wrapping = Wrapping(widths: (first, columns), limit: limit, style: style)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if wrapping.isCutOff { break }
        let start = text.utf8.distance(from: text.startIndex, to: paragraph.startIndex)
        let bytes = start..<start + paragraph.utf8.count
        let inside = styles.filter { $0.range.overlaps(bytes) }
        let ends = inside.flatMap { [$0.range.lowerBound - start, $0.range.upperBound - start] }
        let (shown, moved) = sanitized(String(paragraph), tracking: ends)
        let own = inside.indices.map { StyledBytes(range: moved[2 * $0]..<moved[2 * $0 + 1], style: inside[$0].style) }
        wrapping.append(paragraph: shown, own)
    }
    return wrapping.lines
}

private struct Wrapping {
    let widths: (first: Int, others: Int)
    let limit: Int
    let style: Style
    private(set) var lines: [Line] = []
    private(set) var isCutOff = false
    /// The line that is being filled.
    private var line = Line()
    /// The ranges of the paragraph with a style of their own.
    private var styles: [StyledBytes] = []

    init(widths: (first: Int, others: Int), limit: Int, style: Style) {
        (self.widths, self.limit, self.style) = (widths, limit, style)
    }

    /// The width of the line that is being filled.
    private var columns: Int { lines.isEmpty ? widths.first : widths.others }

    private var isFull: Bool { lines.count >= limit }

    /// Appends a sanitized paragraph.
    mutating func append(paragraph: String, _ styles: [StyledBytes]) {
        if isFull { return cutOff() }
        self.styles = styles
        var words = Words(paragraph)
        while let word = words.next() {
            let blanks = min(word.blanks, columns - 1)
            if line.columns + blanks + word.columns <= columns {
                let start = paragraph.utf8.index(word.text.startIndex, offsetBy: -blanks)
                append(paragraph[start..<word.text.endIndex], blanks + word.columns)
                continue
            }
            if !line.spans.isEmpty { endLine() }
            if isFull { return cutOff() }
            if word.columns <= columns {
                append(word.text, word.columns)
            } else if !breakUp(word.text) {
                return cutOff()
            }
        }
        endLine()
    }

    /// Breaks a word that is wider than a line. Returns false if the limit of lines is reached.
    private mutating func breakUp(_ word: Substring) -> Bool {
        for index in word.indices {
            let width = word[index].columns
            if line.columns + width > columns && !line.spans.isEmpty {
                endLine()
                if isFull { return false }
            }
            // A cluster can be wider than the whole line.
            if width <= columns {
                append(word[index...index], width)
            } else {
                line.append(ellipsis[...], style, columns: 1)
            }
        }
        return true
    }

    /// Appends a part of the paragraph, each cluster in the style of its first byte.
    private mutating func append(_ text: Substring, _ count: Int) {
        if styles.isEmpty { return line.append(text, style, columns: count) }
        for index in text.indices {
            let offset = text.base.utf8.distance(from: text.base.startIndex, to: index)
            let own = styles.first { $0.range.contains(offset) }?.style
            line.append(text[index...index], own ?? style, columns: text[index].columns)
        }
    }

    private mutating func endLine() {
        lines.append(line)
        line = Line()
    }

    /// Ends the text with an ellipsis in the last line.
    private mutating func cutOff() {
        var last = lines.popLast() ?? Line()
        last.append(ellipsis[...], style, columns: 1)
        lines.append(last.truncated(to: columns))
        isCutOff = true
    }
}

/// The unbreakable parts of a text, with the number of spaces before each.
private struct Words {
    private var rest: Substring
    /// True if each byte is a column.
    private let isPlain: Bool

    init(_ text: String) {
        rest = text[...]
        isPlain = text.utf8.allSatisfy(isPrintableASCII)
    }

    struct Word {
        let blanks: Int
        let text: Substring
        let columns: Int
    }

    mutating func next() -> Word? {
        let start = rest.firstIndex { $0 != " " } ?? rest.endIndex
        let blanks = rest[..<start].utf8.count
        rest = rest[start...]
        guard !rest.isEmpty else { return nil }
        if isPlain {
            let text = rest[..<endWithPunctuation(after: rest.firstIndex(of: " ") ?? rest.endIndex)]
            rest = rest[text.endIndex...]
            return Word(blanks: blanks, text: text, columns: text.utf8.count)
        }
        var (end, columns) = (rest.startIndex, 0)
        var previous: (cluster: Character, columns: Int)?
        while end < rest.endIndex, rest[end] != " " {
            let current = (cluster: rest[end], columns: rest[end].columns)
            if let previous, previous.columns > 1 || current.columns > 1,
                !previous.cluster.isOpening && !current.cluster.isPunctuation
            {
                break
            }
            previous = current
            columns += current.columns
            end = rest.index(after: end)
        }
        let wordEnd = endWithPunctuation(after: end)
        columns += rest[end..<wordEnd].reduce(0) { $0 + $1.columns }
        defer { rest = rest[wordEnd...] }
        return Word(blanks: blanks, text: rest[..<wordEnd], columns: columns)
    }

    /// Returns the end of a word with the punctuation after a space, which French has: `Pourquoi ?`.
    private func endWithPunctuation(after end: String.Index) -> String.Index {
        var end = end
        // At most two, such as `» ?`, so that a row of marks stays breakable.
        for _ in 0..<2 where end < rest.endIndex && rest[end] == " " {
            let marks = rest[end...].dropFirst().prefix { "?!:;»".contains($0) }
            let isAlone = marks.endIndex == rest.endIndex || rest[marks.endIndex] == " "
            if marks.isEmpty || !isAlone { break }
            end = marks.endIndex
        }
        return end
    }
}

extension Character {
    fileprivate var isOpening: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .openPunctuation, .initialPunctuation: true
        default: false
        }
    }
}
