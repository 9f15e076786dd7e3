/// Text of one style. Whatever it is made of, its text is safe to paint: see `sanitized`.
package struct Span: Hashable, Sendable {
    package fileprivate(set) var text: String
    package let style: Style
    /// Columns the text takes.
    package fileprivate(set) var columns: Int

    package init(_ text: String, _ style: Style = .plain) {
        let text = sanitized(text)
        self.init(safe: text, style, columns: text.columns)
    }

    fileprivate init(safe text: String, _ style: Style, columns: Int) {
        self.text = text
        self.style = style
        self.columns = columns
    }

    /// The clusters that fit the columns whole, from the start.
    func prefix(columns limit: Int) -> Span {
        var room = limit
        let end = text.indices.first { index in
            room -= text[index].columns
            return room < 0
        }
        let kept = String(text[..<(end ?? text.endIndex)])
        return Span(safe: kept, style, columns: kept.columns)
    }

    func styled(_ style: Style) -> Span {
        Span(safe: text, style, columns: columns)
    }
}

/// A line of the screen: spans from left to right.
package struct Line: Hashable, Sendable {
    package private(set) var spans: [Span]
    /// Columns all spans take.
    package private(set) var columns: Int

    package init(_ spans: [Span] = []) {
        self.spans = spans.filter { !$0.text.isEmpty }
        columns = self.spans.reduce(0) { $0 + $1.columns }
    }

    package init(_ text: String, _ style: Style = .plain) {
        self.init([Span(text, style)])
    }

    /// The text of all spans, without their styles.
    package var plainText: String {
        spans.map(\.text).joined()
    }

    package static func + (a: Line, b: Line) -> Line {
        Line(a.spans + b.spans)
    }

    /// Appends text that is sanitized already, to the last span if that has the style.
    mutating func append(_ text: Substring, _ style: Style, columns count: Int) {
        if text.isEmpty { return }
        if let last = spans.indices.last, spans[last].style == style {
            spans[last].text += text
            spans[last].columns += count
        } else {
            spans.append(Span(safe: String(text), style, columns: count))
        }
        columns += count
    }

    /// The line as the one that is pointed at: reversed in the terminal's own two colours, since a reversed accent
    /// would be a bar of that colour.
    package var highlighted: Line {
        Line(spans.map { $0.styled(Style($0.style.attributes.union(.reverse))) })
    }
}

// MARK: Fitting

extension Line {
    /// Returns the line, shortened with an ellipsis if it does not fit.
    package func truncated(to limit: Int) -> Line {
        if columns <= limit { return self }
        guard limit > 0 else { return Line() }
        var kept: [Span] = []
        var room = limit - 1
        for span in spans {
            if span.columns <= room {
                kept.append(span)
                room -= span.columns
            } else {
                return Line(kept + [span.prefix(columns: room), Span(ellipsis, span.style)])
            }
        }
        preconditionFailure("a line wider than its limit has a span that does not fit")
    }

    /// Returns the line with spaces at its end up to a width.
    package func padded(to width: Int, _ style: Style = .plain) -> Line {
        columns >= width ? self : self + Line(String(repeating: " ", count: width - columns), style)
    }

    /// The line in exactly these columns.
    package func fitted(to width: Int) -> Line {
        truncated(to: width).padded(to: width)
    }

    /// The pieces with a blank between them, in lines of at most so many columns. Only a piece that is wider than a line
    /// is broken.
    package static func filled(_ pieces: [Line], to width: Int) -> [Line] {
        pieces.reduce(into: []) { lines, piece in
            if let last = lines.last, last.columns + 1 + piece.columns <= width {
                lines[lines.count - 1] = last + Line(" ") + piece
            } else {
                lines += piece.wrapped(to: width)
            }
        }
    }

    /// One line of exactly these columns: `left` at its start, `right` at its end, a blank or more between them.
    ///
    /// Where both do not fit, `left` is truncated, but to no less than half of the line: then `right` is left out.
    package static func justified(_ left: Line, _ right: Line, to width: Int) -> Line {
        let room = width - right.columns - 1
        guard right.columns > 0, room >= min(left.columns, width / 2) else { return left.fitted(to: width) }
        return left.truncated(to: room).padded(to: room + 1) + right
    }
}

/// Stands for what was cut off. One column.
package let ellipsis = "\u{2026}"
