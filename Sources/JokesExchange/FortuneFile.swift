package import JokesCore

/// Finds the entries in a piece of a file of fortune(6): the texts between lines with only `%`.
package struct FortuneFile {
    /// The entries in order, without empty ones: their bytes, and their text; nil if it is not UTF-8 or longer than a
    /// piece.
    package private(set) var entries: [(range: Range<Int>, text: String?)] = []
    /// The number of scanned bytes, after which the next piece begins.
    package private(set) var consumed = 0
    /// True if the next piece begins in an entry that is too long.
    package private(set) var isSkipping: Bool

    /// Scans a piece, beginning with the state after the last piece. Stops after `limit` entries.
    package init(_ piece: [UInt8], isLast: Bool = true, isSkipping: Bool = false, limit: Int = .max) {
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
            self.isSkipping = true
            consumed = lineStart > 0 ? lineStart : piece.count
        }
    }

    /// Returns whether a line separates entries.
    package static func hasSeparator(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { isSeparator($0) }
    }

    private static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("%".utf8) || line.elementsEqual("%\r".utf8)
    }

    private mutating func endEntry(_ bytes: ArraySlice<UInt8>, at end: Int) {
        consumed = end
        let text = isSkipping ? nil : String(validating: bytes, as: UTF8.self)
        isSkipping = false
        if text?.allSatisfy(\.isWhitespace) != true { entries.append((bytes.indices, text)) }
    }

    /// Returns an entry as a joke, with two parts if it is a riddle with `Q: ...` and `A: ...`. Overstrikes are resolved.
    package static func joke(_ entry: String) -> FetchedJoke {
        let text = withoutOverstrikes(entry)
        guard text.hasPrefix("Q:") else { return FetchedJoke(setup: text) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let answers = lines.indices.filter { lines[$0].hasPrefix("A:") }
        guard answers.count == 1, let answer = answers.first else { return FetchedJoke(setup: text) }
        let part = { (lines: ArraySlice<Substring>) in String(lines.joined(separator: "\n").dropFirst(2)) }
        return FetchedJoke(setup: part(lines[..<answer]), punchline: part(lines[answer...]))
    }
}

/// Reads a file of fortune(6). Each entry becomes an unrated favorite, except the jokes of an export.
struct FortuneImport {
    let bytes: [UInt8]
    let now: Timestamp

    /// Returns whether jokesctl has written the file.
    static func isExport(_ bytes: [UInt8]) -> Bool { bytes.starts(with: FortuneExport.start.utf8) }

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let isExport = Self.isExport(bytes)
        // The offset of the first joke that is no favorite: an empty entry is before it.
        let jokes =
            isExport ? bytes.dropFirst().firstRange(of: Array("\n\(FortuneExport.start)".utf8))?.upperBound : nil
        for (range, text) in FortuneFile(bytes).entries {
            guard let text, !bytes[range].contains(0) else {
                throw ImportProblem("not UTF-8 text", at: firstFault(in: range), of: bytes)
            }
            // In one part, so that an export has the same text again, with the labels of a riddle.
            let content = JokeContent(text: .single(withoutOverstrikes(text)))
            let isFavorite = range.lowerBound < jokes ?? .max
            let joke = Joke(id: importedID, content: content, isFavorite: false, firstSeen: now)
            let record = isFavorite ? importedFavorite(content, now: now) : .joke(joke)
            let start = bytes[range].firstIndex { $0 > 0x20 } ?? range.lowerBound
            try body(try record.checked(at: start, of: bytes))
        }
    }

    /// Returns the offset of the first line that is not text.
    private func firstFault(in range: Range<Int>) -> Int {
        let lines = bytes[range].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.first { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }?.startIndex
            ?? range.lowerBound
    }
}

/// Returns a favorite without a known source. Its ID follows from the text.
func importedFavorite(_ content: JokeContent, now: Timestamp) -> ExchangeRecord {
    .favorite(Favorite(id: importedID, content: content, favoritedAt: now))
}

/// The source of imported jokes without a known one.
package let importSource = "imported"
private let importedID = JokeID(source: importSource, upstream: "")
