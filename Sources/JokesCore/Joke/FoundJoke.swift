/// A stretch of what a joke says.
package struct TextStretch: Hashable, Sendable {
    /// One of the texts that a joke has.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case setup, punchline
    }

    package var part: Part
    /// Where in that part, in bytes of UTF-8; both ends are between code points.
    package var bytes: Range<Int>

    package init(_ part: Part, _ bytes: Range<Int>) {
        self.part = part
        self.bytes = bytes
    }
}

/// A joke that somebody searched for, and where in it the words are.
package struct FoundJoke: Hashable, Sendable {
    /// So many marks at most: a joke that says one word a thousand times is found, and not marked a thousand times.
    package static let mostMarks = 16

    package var joke: Joke
    /// The words that were searched for, the setup's first; in the order in which they stand, and none over another.
    package var marks: [TextStretch]
    /// What to show of the joke where there is no room for all of it.
    package var snippet: TextStretch

    /// Leaves out marks that are not in the joke's text or not in their order; without a snippet that is in it, makes
    /// one.
    package init(joke: Joke, marks: [TextStretch], snippet: TextStretch? = nil) {
        let text = joke.content.text
        var ends: [TextStretch.Part: Int] = [:]
        self.joke = joke
        self.marks = Array(
            marks.filter { mark in
                // Setup first: none of its marks is behind one of the punchline's.
                guard text[mark] != nil, mark.bytes.lowerBound >= ends[mark.part, default: 0],
                    mark.part == .punchline || ends[.punchline] == nil
                else { return false }
                ends[mark.part] = mark.bytes.upperBound
                return true
            }.prefix(Self.mostMarks))
        let known = snippet.flatMap { text[$0] == nil ? nil : $0 }
        self.snippet = known ?? text.snippet(around: self.marks)
    }
}

extension JokeText {
    /// The text of one part; empty where a joke has no punchline.
    package subscript(part: TextStretch.Part) -> String {
        part == .setup ? setup : punchline ?? ""
    }

    /// The text of a stretch; nil where there is none such in this joke.
    package subscript(stretch: TextStretch) -> Substring? {
        let text = self[stretch.part]
        guard stretch.bytes.lowerBound >= 0, stretch.bytes.upperBound <= text.utf8.count else { return nil }
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: stretch.bytes.lowerBound)
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: stretch.bytes.upperBound)
        guard start.samePosition(in: text.unicodeScalars) != nil, end.samePosition(in: text.unicodeScalars) != nil
        else {
            return nil
        }
        return text[start..<end]
    }

    /// The stretch, of about so many bytes, that has the most of the marks, of equals the first: whole words where
    /// there is white space between them, and whole characters always.
    /// The marks are in the order of `FoundJoke.marks`.
    package func snippet(around marks: [TextStretch], size: Int = 160) -> TextStretch {
        let counts = Dictionary(grouping: marks, by: \.part).mapValues(\.count)
        let part: TextStretch.Part = counts[.punchline, default: 0] > counts[.setup, default: 0] ? .punchline : .setup
        let text = self[part]
        if text.utf8.count <= size { return TextStretch(part, 0..<text.utf8.count) }

        let own = marks.filter { $0.part == part }.map(\.bytes)
        // A quarter of it is what leads to the first of the marks.
        let space = size - size / 4
        let first = own.max { left, right in
            let (here, there) = (own.within(space, from: left), own.within(space, from: right))
            return here < there || (here == there && left.lowerBound > right.lowerBound)
        }
        let start = max(0, min((first?.lowerBound ?? 0) - size / 4, text.utf8.count - size))
        return TextStretch(part, text.wholeWords(within: start...start + size, holding: first ?? 0..<0))
    }
}

extension [Range<Int>] {
    /// How many end within so many bytes of the beginning of one of them.
    fileprivate func within(_ space: Int, from first: Range<Int>) -> Int {
        count { $0.lowerBound >= first.lowerBound && $0.upperBound <= first.lowerBound + space }
    }
}

extension String {
    /// These bytes, without the words that are over an end of them; without the characters, where no space is between
    /// the end and what is held.
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

    /// Where characters begin, in bytes, and the end.
    private var borders: [Int] {
        indices.map { utf8.distance(from: startIndex, to: $0) } + [utf8.count]
    }
}
