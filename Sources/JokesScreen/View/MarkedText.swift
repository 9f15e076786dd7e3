import JokesCore
import TextLayout

/// Breaks text into lines as `wrapped` does, with what was searched for in a style of its own: the marks are ranges of the
/// text's bytes, as a search tells them, few (`FoundJoke.mostMarks`), in their order and none over another. O(text).
func markedLines(
    _ text: String, _ marks: [Range<Int>], to columns: Int, atMost limit: Int = .max, _ style: Style = .plain
) -> [Line] {
    let lines = wrapped(text, to: columns, atMost: limit)
    if marks.isEmpty { return lines.map { Line($0, style) } }
    var clusters = MarkedClusters(text, marks)
    return lines.map { clusters.line($0, style) }
}

extension Style {
    /// What was searched for: told by its line where there are no colours.
    static let found = Style([.bold, .underline], .heading)
}

extension [TextStretch] {
    /// Where in a part of the joke they are.
    func bytes(of part: TextStretch.Part) -> [Range<Int>] {
        filter { $0.part == part }.map(\.bytes)
    }
}

/// The clusters of a text with the number of the mark that each is in, to be found again in the lines made of it. Walks
/// over text and marks once, and no further than the lines go.
private struct MarkedClusters {
    private var rest: Substring
    /// Where `rest` begins, and the marks that are not before it, in bytes.
    private var offset = 0
    private var marks: ArraySlice<Range<Int>>
    /// What comes next: all but blanks, which are not the same in the lines.
    private var ahead: [(character: Character, mark: Int?)] = []
    /// The mark of the cluster before.
    private var mark: Int?

    /// So many clusters at most are in the text and not in the lines, side by side: of what is cut off more are missing,
    /// but nothing comes after that.
    private static let most = 8

    init(_ text: String, _ marks: [Range<Int>]) {
        let (shown, places) = sanitized(text, tracking: marks.flatMap { [$0.lowerBound, $0.upperBound] })
        rest = shown[...]
        self.marks = marks.indices.map { places[2 * $0]..<places[2 * $0 + 1] }[...]
    }

    /// The next of the lines.
    mutating func line(_ text: String, _ style: Style) -> Line {
        var spans: [Span] = []
        var (run, isMarked) = ("", false)
        for character in text {
            let isNextMarked = take(character)
            if isNextMarked != isMarked {
                spans.append(Span(run, isMarked ? .found : style))
                (run, isMarked) = ("", isNextMarked)
            }
            run.append(character)
        }
        return Line(spans + [Span(run, isMarked ? .found : style)])
    }

    /// Whether the next character of the lines is marked: a blank where it is within a mark.
    private mutating func take(_ character: Character) -> Bool {
        lookAhead()
        if character == " " { return mark != nil && ahead.first?.mark == mark }
        guard let found = ahead.firstIndex(where: { $0.character == character }) else { return false }
        mark = ahead[found].mark
        ahead.removeFirst(found + 1)
        return mark != nil
    }

    private mutating func lookAhead() {
        while ahead.count < Self.most, let character = rest.popFirst() {
            marks = marks.drop { $0.upperBound <= offset }
            let isMarked = marks.first?.contains(offset) == true
            if character != " " { ahead.append((character, isMarked ? marks.startIndex : nil)) }
            offset += character.utf8.count
        }
    }
}
