import TextLayout

// Styled text in the columns of a terminal.

extension StyledText {
    /// Columns that it takes in a terminal, as one line. O(n).
    var columns: Int {
        pieces.reduce(0) { $0 + sanitized($1.text).columns }
    }

    /// The text as one line of at most so many columns: where it is wider, what fits before an ellipsis.
    func truncated(to limit: Int) -> StyledText {
        let line = map(sanitized)
        if line.columns <= limit { return line }
        guard limit > 0 else { return "" }
        var room = limit - 1
        var kept = StyledText([])
        for (text, style) in line.pieces {
            let end = text.indices.first { index in
                room -= text[index].columns
                return room < 0
            }
            kept.append(String(text[..<(end ?? text.endIndex)]), style)
            if end != nil { return kept.appending(ellipsis, style) }
        }
        return kept.appending(ellipsis, nil)
    }

    /// The text in lines of at most so many columns, broken as `TextLayout.wrapped` breaks plain text.
    func wrapped(to columns: Int) -> [StyledText] {
        let clean = map { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }
                .joined(separator: "\n")
        }
        var styles = StylesInOrder(of: clean)
        return TextLayout.wrapped(clean.plainText, to: columns).map { styles.line($0) }
    }

    /// Pieces side by side, a blank between them, in lines of at most so many columns: a piece goes to the next line
    /// rather than being torn, unless it is wider than a whole one.
    static func filled(_ pieces: [StyledText], to columns: Int) -> [StyledText] {
        var lines: [StyledText] = []
        for piece in pieces.map({ $0.truncated(to: .max) }) {
            if let last = lines.last, last.columns + 1 + piece.columns <= columns {
                lines[lines.count - 1] = "\(last) \(piece)"
            } else {
                lines += piece.wrapped(to: columns)
            }
        }
        return lines
    }

    /// With blanks at its end, up to the columns.
    func padded(to width: Int) -> StyledText {
        appending(String(repeating: " ", count: max(0, width - columns)), nil)
    }

    private var plainText: String {
        pieces.map(\.text).joined()
    }

    private func map(_ transform: (String) -> String) -> StyledText {
        StyledText(pieces.map { (transform($0.text), $0.style) })
    }

    private func appending(_ text: String, _ style: Style?) -> StyledText {
        var longer = self
        longer.append(text, style)
        return longer
    }
}

/// The styles of a text, to be found again in the lines made of it, of which only blanks are not the text's.
private struct StylesInOrder {
    private var ahead: ArraySlice<(scalar: Unicode.Scalar, style: StyledText.Style?)>

    /// A cluster wider than a whole line becomes an ellipsis; no more of its scalars than these are looked past.
    private static let most = 16

    init(of text: StyledText) {
        ahead =
            text.pieces.flatMap { text, style in
                text.unicodeScalars.filter { $0 != " " && $0 != "\n" }.map { ($0, style) }
            }[...]
    }

    /// The next of the lines.
    mutating func line(_ text: String) -> StyledText {
        var line = StyledText([])
        var (run, style) = (String.UnicodeScalarView(), StyledText.Style?.none)
        for scalar in text.unicodeScalars {
            if scalar != " ", let next = take(scalar), next.style != style {
                line.append(String(run), style)
                (run, style) = (String.UnicodeScalarView(), next.style)
            }
            run.append(scalar)
        }
        line.append(String(run), style)
        return line
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> (scalar: Unicode.Scalar, style: StyledText.Style?)? {
        guard let found = ahead.prefix(Self.most).firstIndex(where: { $0.scalar == scalar }) else { return nil }
        defer { ahead = ahead[(found + 1)...] }
        return ahead[found]
    }
}
