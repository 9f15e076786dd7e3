import JokesCore
import Terminal

/// Breaks text into lines as `wrapped` does, with what was searched for in a style of its own: the marks are ranges of the
/// text's bytes, as a search tells them.
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

/// The clusters of a text with the number of the mark that each is in, to be found again in the lines made of it.
private struct MarkedClusters {
    /// All but blanks, which are not the same in the lines.
    private let clusters: [(character: Character, mark: Int?)]
    private var next = 0
    /// The mark of the cluster before.
    private var mark: Int?

    /// So many clusters at most are in the text and not in the lines, side by side: of what is cut off more are missing,
    /// but nothing comes after that.
    private static let most = 8

    init(_ text: String, _ marks: [Range<Int>]) {
        let ranges = marks.map { text.shownBytes(before: $0.lowerBound)..<text.shownBytes(before: $0.upperBound) }
        var offset = 0
        clusters = sanitized(text).compactMap { character in
            defer { offset += character.utf8.count }
            return character == " " ? nil : (character, ranges.firstIndex { $0.contains(offset) })
        }
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
        let ahead = clusters[next...].prefix(Self.most)
        if character == " " { return mark != nil && ahead.first?.mark == mark }
        guard let found = ahead.firstIndex(where: { $0.character == character }) else { return false }
        next = found + 1
        mark = clusters[found].mark
        return mark != nil
    }
}

extension String {
    /// How many bytes are painted of so many bytes of the text.
    fileprivate func shownBytes(before count: Int) -> Int {
        sanitized(String(decoding: utf8.prefix(count), as: UTF8.self)).utf8.count
    }
}
