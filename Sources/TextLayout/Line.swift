/// Sanitized text of one style.
package struct Span: Hashable, Sendable {
    package fileprivate(set) var text: String
    package let style: Style
    package fileprivate(set) var columns: Int

    package init(_ text: String, _ style: Style = .plain) {
        let text = sanitized(text)
        self.init(safe: text, style, columns: text.columns)
    }

    fileprivate init(safe text: String, _ style: Style, columns: Int) {
        (self.text, self.style, self.columns) = (text, style, columns)
    }

    /// Returns the first clusters, as many as fit in the columns.
    func prefix(columns limit: Int) -> Span {
        var room = limit
        let end = text.indices.first { index in
            room -= text[index].columns
            return room < 0
        }
        let kept = String(text[..<(end ?? text.endIndex)])
        return Span(safe: kept, style, columns: kept.columns)
    }
}

/// A line of the screen: spans from left to right.
package struct Line: Hashable, Sendable {
    package private(set) var spans: [Span]
    package private(set) var columns: Int

    package init(_ spans: [Span] = []) {
        self.spans = spans.filter { !$0.text.isEmpty }
        columns = self.spans.reduce(0) { $0 + $1.columns }
    }

    package init(_ text: String, _ style: Style = .plain) {
        self.init([Span(text, style)])
    }

    /// Creates a line that repeats a text; an empty line if `count` is not positive. O(count)
    package init(repeating text: String, count: Int, _ style: Style = .plain) {
        let (once, count) = (Span(text, style), max(0, count))
        self.init([
            Span(safe: String(repeating: once.text, count: count), style, columns: once.columns * count)
        ])
    }

    /// The text of all spans.
    package var plainText: String { spans.map(\.text).joined() }

    package static func + (a: Line, b: Line) -> Line { Line(a.spans + b.spans) }

    /// Appends sanitized text, to the last span if it has the same style.
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

    /// The line as the selected one.
    package var highlighted: Line {
        Line(
            spans.map { span in
                let style = Style(span.style.attributes.union(.selected), span.style.role)
                return Span(safe: span.text, style, columns: span.columns)
            })
    }
}

// MARK: Fitting

extension Line {
    /// Returns the line, shortened if it does not fit. The mark of cut text, of one column for each character, is cut off
    /// too if it does not fit.
    package func truncated(to limit: Int, mark: String = ellipsis) -> Line {
        if columns <= limit { return self }
        let mark = String(mark.prefix(max(0, limit)))
        var kept: [Span] = []
        var room = limit - mark.count
        for span in spans {
            if span.columns <= room {
                kept.append(span)
                room -= span.columns
            } else {
                return Line(kept + [span.prefix(columns: room), Span(mark, span.style)])
            }
        }
        preconditionFailure("a line wider than its limit has a span that does not fit")
    }

    /// Returns the line with spaces at its end up to a width.
    package func padded(to width: Int, _ style: Style = .plain) -> Line {
        columns >= width ? self : self + Line(repeating: " ", count: width - columns, style)
    }

    /// Returns the line with exactly this width.
    package func fitted(to width: Int) -> Line {
        truncated(to: width).padded(to: width)
    }

    /// Returns the line with another one in place of its columns from `start` on.
    package func overlaid(by other: Line, at start: Int) -> Line {
        truncated(to: start, mark: "").padded(to: start) + other + dropped(start + other.columns)
    }

    /// Returns the line without its first columns. A space stands for the second half of a wide character.
    package func dropped(_ count: Int) -> Line {
        var left = count
        return Line(
            spans.map { span in
                if left <= 0 { return span }
                let start = span.prefix(columns: left)
                left -= start.columns
                var rest = span.text.dropFirst(start.text.count)
                var blanks = 0
                if left > 0, let wide = rest.popFirst() { (blanks, left) = (wide.columns - left, 0) }
                let text = String(repeating: " ", count: blanks) + rest
                return Span(safe: text, span.style, columns: text.columns)
            })
    }

    /// Returns lines of the pieces with a space between them. Breaks only a piece that is wider than a line.
    package static func filled(_ pieces: [Line], to width: Int) -> [Line] {
        pieces.reduce(into: []) { lines, piece in
            if let last = lines.last, last.columns + 1 + piece.columns <= width {
                lines[lines.count - 1] = last + Line(" ") + piece
            } else {
                lines += piece.wrapped(to: width)
            }
        }
    }

    /// Returns a line of exactly this width, with `left` at its start and `right` at its end.
    ///
    /// If both do not fit, `left` is truncated. If less than half of the line would be left for it, `right` is left out.
    package static func justified(_ left: Line, _ right: Line, to width: Int) -> Line {
        let room = width - right.columns - 1
        guard right.columns > 0, room >= min(left.columns, width / 2) else { return left.fitted(to: width) }
        return left.truncated(to: room).padded(to: room + 1) + right
    }
}

/// The mark of cut text. One column.
package let ellipsis = "\u{2026}"
