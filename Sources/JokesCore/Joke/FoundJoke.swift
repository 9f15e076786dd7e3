/// A range of a joke's text, also as `type TextRange` of the interface.
package struct TextRange: Codable, Hashable, Sendable {
    /// A part of a joke's text.
    package enum Part: String, Codable, Hashable, Sendable, CaseIterable {
        case setup, punchline
    }

    package let part: Part
    private let start, end: Int
    /// The range in this part, in bytes of UTF-8. Both ends are between code points. If a message has
    /// the ends in the wrong order, a range after the end of every text.
    package var bytes: Range<Int> { start <= end ? start..<end : Int.max..<Int.max }

    package init(_ part: Part, _ bytes: Range<Int>) {
        (self.part, start, end) = (part, bytes.lowerBound, bytes.upperBound)
    }
}

/// A result of a search, with the ranges of the words, also as `type FoundJoke` of the interface.
package struct FoundJoke: Codable, Hashable, Sendable {
    /// The maximum number of marks.
    package static let maxMarks = 16

    package var joke: Joke
    /// The ranges of the words, in their order, those of the setup first. They do not overlap.
    package var marks: [TextRange]
    /// The range to show if there is not enough room for the whole joke.
    package var snippet: TextRange

    /// Drops marks that are outside the text or out of order.
    package init(joke: Joke, marks: [TextRange]) {
        let text = joke.content.text
        let valid = marks.reduce(into: [TextRange]()) { valid, mark in
            let last = valid.last ?? TextRange(mark.part, 0..<0)
            let isInOrder =
                last.part == mark.part ? mark.bytes.lowerBound >= last.bytes.upperBound : last.part == .setup
            if isInOrder && text[mark] != nil { valid.append(mark) }
        }
        self.joke = joke
        self.marks = Array(valid.prefix(Self.maxMarks))
        snippet = text.snippet(around: self.marks)
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            joke: try members.decode(Joke.self, forKey: .joke),
            marks: try members.decode([TextRange].self, forKey: .marks))
    }
}

extension JokeText {
    /// Returns the text of a part; empty if there is no punchline.
    package subscript(part: TextRange.Part) -> String {
        part == .setup ? setup : punchline ?? ""
    }

    /// Returns the text of a range; nil if the joke does not have it.
    package subscript(range: TextRange) -> Substring? {
        let text = self[range.part]
        guard range.bytes.lowerBound >= 0, range.bytes.upperBound <= text.utf8.count else { return nil }
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.bytes.lowerBound)
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: range.bytes.upperBound)
        let areBorders = [start, end].allSatisfy { $0.samePosition(in: text.unicodeScalars) != nil }
        return areBorders ? text[start..<end] : nil
    }

    /// Returns the first range of about `size` bytes with the most marks. It has whole characters, and whole words if there
    /// are spaces.
    package func snippet(around marks: [TextRange], size: Int = 160) -> TextRange {
        let counts = Dictionary(grouping: marks, by: \.part).mapValues(\.count)
        let part: TextRange.Part = counts[.punchline, default: 0] > counts[.setup, default: 0] ? .punchline : .setup
        let text = self[part]
        if text.utf8.count <= size { return TextRange(part, 0..<text.utf8.count) }

        let own = marks.filter { $0.part == part }.map(\.bytes)
        // A quarter of the range is before the first mark.
        let space = size - size / 4
        let first = own.max { left, right in
            let (here, there) = (own.within(space, from: left), own.within(space, from: right))
            return here < there || (here == there && left.lowerBound > right.lowerBound)
        }
        let start = max(0, min((first?.lowerBound ?? 0) - size / 4, text.utf8.count - size))
        return TextRange(part, text.wholeWords(within: start...start + size, holding: first ?? 0..<0))
    }
}

extension [Range<Int>] {
    /// Returns the number of marks that end within `space` bytes from the beginning of a mark.
    fileprivate func within(_ space: Int, from first: Range<Int>) -> Int {
        count { $0.lowerBound >= first.lowerBound && $0.upperBound <= first.lowerBound + space }
    }
}

extension String {
    /// Returns the range without incomplete words at its ends, or without incomplete characters if there is no space.
    fileprivate func wholeWords(within bytes: ClosedRange<Int>, holding held: Range<Int>) -> Range<Int> {
        let isGap = utf8.map { $0 == 0x20 || $0 == 0x0A }
        let last = min(bytes.upperBound, isGap.count)
        var start = bytes.lowerBound
        if start > 0 {
            let before = start - 1..<max(start, min(held.lowerBound, last))
            start = before.first { isGap[$0] }.map { $0 + 1 } ?? borders.first { $0 >= start } ?? start
        }
        var end = last
        if end < isGap.count {
            let behind = max(min(held.upperBound, last), start)...last
            end = behind.last { isGap[$0] } ?? borders.last { $0 <= end } ?? end
        }
        return start..<max(start, end)
    }

    /// The positions of characters in bytes, and the end.
    private var borders: [Int] {
        indices.map { utf8.distance(from: startIndex, to: $0) } + [utf8.count]
    }
}
