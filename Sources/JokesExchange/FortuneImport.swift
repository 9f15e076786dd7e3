import JokesCore

/// Reads a file of fortune(6): texts between lines `%`. Each becomes an unrated favorite.
struct FortuneImport {
    private static let lineFeed = UInt8(ascii: "\n")

    let bytes: [UInt8]
    let now: Timestamp

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        var start = 0
        while let mark = Self.firstMark(in: bytes, from: start) {
            try take(start..<mark.lowerBound, body)
            start = min(mark.upperBound + 1, bytes.count)
        }
        try take(start..<bytes.count, body)
    }

    /// Returns the first line that is only `%`, without its line feed; nil if there is none. `start` must begin a line.
    static func firstMark(in bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
        var line = start
        while line < bytes.count {
            let end = bytes[line...].firstIndex(of: lineFeed) ?? bytes.count
            let text = bytes[line..<end]
            if text.elementsEqual("%".utf8) || text.elementsEqual("%\r".utf8) { return line..<end }
            line = end + 1
        }
        return nil
    }

    private func take(_ range: Range<Int>, _ body: (ExchangeRecord) throws -> Void) throws {
        guard let text = String(validating: bytes[range], as: UTF8.self), !bytes[range].contains(0) else {
            throw RefusedRecord(offset: firstFault(in: range), reason: "not UTF-8 text")
        }
        if text.allSatisfy(\.isWhitespace) { return }
        let favorite = importedFavorite(JokeContent(text: .single(text)), now: now)
        try body(try favorite.checked(at: bytes[range].firstIndex { $0 > 0x20 } ?? range.lowerBound))
    }

    /// Returns the offset of the first line that is not text.
    private func firstFault(in range: Range<Int>) -> Int {
        var start = range.lowerBound
        for line in bytes[range].split(separator: Self.lineFeed, omittingEmptySubsequences: false) {
            if line.contains(0) || String(validating: line, as: UTF8.self) == nil { return line.startIndex }
            start = line.endIndex
        }
        return start
    }
}

/// Returns a favorite without a known source. Its ID follows from the text.
func importedFavorite(_ content: JokeContent, now: Timestamp) -> ExchangeRecord {
    .favorite(Favorite(id: JokeID(source: "imported", upstream: ""), content: content, favoritedAt: now))
}
