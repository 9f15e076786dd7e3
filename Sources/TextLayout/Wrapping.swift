/// Breaks text into lines of at most so many columns.
///
/// Line feeds break; so do blanks between words, which then go, and the border of a wide character, as is the custom
/// where those are written. A word wider than the line is broken between clusters. A paragraph keeps its indentation.
/// With a limit, what does not fit its lines is cut off with an ellipsis. The lines are sanitized. O(the paragraphs of which
/// something is shown).
package func wrapped(_ text: String, to columns: Int, atMost limit: Int = .max) -> [String] {
    guard columns > 0, limit > 0 else { return [] }
    var wrapping = Wrapping(columns: columns, limit: limit)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if wrapping.isCutOff { break }
        wrapping.take(paragraph)
    }
    return wrapping.lines
}

private struct Wrapping {
    let columns: Int
    let limit: Int
    private(set) var lines: [String] = []
    private(set) var isCutOff = false
    /// The line being filled, and its columns.
    private var line = ""
    private var width = 0

    init(columns: Int, limit: Int) {
        self.columns = columns
        self.limit = limit
    }

    private var isFull: Bool {
        lines.count >= limit
    }

    mutating func take(_ paragraph: Substring) {
        if isFull { return cutOff() }
        var words = Words(sanitized(String(paragraph)))
        while let word = words.next() {
            let blanks = min(word.blanks, columns - 1)
            if width + blanks + word.columns <= columns {
                append(String(repeating: " ", count: blanks) + word.text, blanks + word.columns)
                continue
            }
            if !line.isEmpty { endLine() }
            if isFull { return cutOff() }
            if word.columns <= columns {
                append(String(word.text), word.columns)
            } else if !breakUp(word.text) {
                return cutOff()
            }
        }
        endLine()
    }

    /// Fills lines with a word that none can hold; false where the limit came first.
    private mutating func breakUp(_ word: Substring) -> Bool {
        for cluster in word {
            if width + cluster.columns > columns && !line.isEmpty {
                endLine()
                if isFull { return false }
            }
            // Only a cluster wider than the whole line does not fit an empty one.
            if cluster.columns <= columns { append(String(cluster), cluster.columns) } else { append(ellipsis, 1) }
        }
        return true
    }

    private mutating func append(_ text: String, _ count: Int) {
        line += text
        width += count
    }

    private mutating func endLine() {
        lines.append(line)
        line = ""
        width = 0
    }

    /// Ends the last line with an ellipsis; nothing is taken after it.
    private mutating func cutOff() {
        let last = Line(lines.popLast() ?? "") + Line(ellipsis)
        lines.append(last.truncated(to: columns).plainText)
        isCutOff = true
    }
}

/// What may not be torn apart, one after another, with the blanks before each.
private struct Words {
    private var rest: Substring
    /// A byte is a column: nothing needs to be looked up.
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
            let text = rest.prefix { $0 != " " }
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
        defer { rest = rest[end...] }
        return Word(blanks: blanks, text: rest[..<end], columns: columns)
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
