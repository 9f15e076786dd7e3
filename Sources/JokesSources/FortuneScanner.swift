import JokesCore

/// Finds the entries in a piece of a fortune file: the texts between lines with only `%`.
struct FortuneScanner {
    /// The entries in order, without empty ones.
    private(set) var entries: [String] = []
    /// The number of entries that are not UTF-8, or longer than a piece.
    private(set) var refused = 0
    /// The number of scanned bytes, after which the next piece begins.
    private(set) var consumed = 0
    /// Whether the next piece begins in an entry that is too long.
    private(set) var isSkipping: Bool

    /// Scans a piece, beginning with the state after the last piece. Stops after `limit` entries.
    init(_ piece: [UInt8], isLast: Bool, isSkipping: Bool, limit: Int) {
        self.isSkipping = isSkipping
        var lineStart = 0
        while entries.count < limit, let lineEnd = piece[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            if Self.isSeparator(piece[lineStart..<lineEnd]) { endEntry(piece[consumed..<lineStart], at: lineEnd + 1) }
            lineStart = lineEnd + 1
        }
        guard entries.count < limit else { return }
        if isLast {
            let end = Self.isSeparator(piece[lineStart...]) ? lineStart : piece.count
            endEntry(piece[consumed..<end], at: piece.count)
        } else if consumed == 0 {
            // The piece has no separator. The last line may become one with the next bytes.
            if !self.isSkipping { refused += 1 }
            self.isSkipping = true
            consumed = lineStart > 0 ? lineStart : piece.count
        }
    }

    private static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("%".utf8) || line.elementsEqual("%\r".utf8)
    }

    private mutating func endEntry(_ bytes: ArraySlice<UInt8>, at end: Int) {
        consumed = end
        if isSkipping {
            isSkipping = false
        } else if let text = String(validating: bytes, as: UTF8.self) {
            if !text.allSatisfy(\.isWhitespace) { entries.append(text) }
        } else {
            refused += 1
        }
    }
}

/// Returns an entry as a joke, with two parts if it is a riddle with `Q: ...` and `A: ...`.
func fetchedJoke(fortune text: String) -> FetchedJoke {
    guard text.hasPrefix("Q:") else { return FetchedJoke(setup: text) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let answers = lines.indices.filter { lines[$0].hasPrefix("A:") }
    guard answers.count == 1, let answer = answers.first else { return FetchedJoke(setup: text) }
    let part = { (lines: ArraySlice<Substring>) in String(lines.joined(separator: "\n").dropFirst(2)) }
    return FetchedJoke(setup: part(lines[..<answer]), punchline: part(lines[answer...]))
}
