import JokesCore
import Varlink

/// Reads a file of fortune(6): texts between lines that hold nothing but `%`. Each becomes a favorite; whoever brings a
/// file by hand vouches for it.
struct FortuneImport {
    private static let lineFeed = UInt8(ascii: "\n")

    private let bytes: [UInt8]
    private let now: Timestamp

    init(_ bytes: [UInt8], now: Timestamp) {
        self.bytes = bytes
        self.now = now
    }

    func forEachKeepsake(_ body: (Keepsake) throws -> Void) throws {
        var start = 0
        var line = 0
        while line < bytes.count {
            let end = bytes[line...].firstIndex(of: Self.lineFeed) ?? bytes.count
            if isMark(bytes[line..<end]) {
                try take(start..<line, body)
                start = min(end + 1, bytes.count)
            }
            line = end + 1
        }
        try take(start..<bytes.count, body)
    }

    private func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("%".utf8) || line.elementsEqual("%\r".utf8)
    }

    private func take(_ place: Range<Int>, _ body: (Keepsake) throws -> Void) throws {
        guard let text = String(validating: bytes[place], as: UTF8.self), !bytes[place].contains(0) else {
            throw VarlinkJSON.Complaint(index: firstFault(in: place), reason: "not UTF-8 text")
        }
        if text.allSatisfy(\.isWhitespace) { return }
        let favorite = importedFavorite(JokeContent(text: .single(text), safety: .safe), now: now)
        try body(try favorite.checked(at: firstWord(of: place)))
    }

    /// Where the first line that is no text begins.
    private func firstFault(in place: Range<Int>) -> Int {
        var start = place.lowerBound
        for line in bytes[place].split(separator: Self.lineFeed, omittingEmptySubsequences: false) {
            if line.contains(0) || String(validating: line, as: UTF8.self) == nil { return line.startIndex }
            start = line.endIndex
        }
        return start
    }

    private func firstWord(of place: Range<Int>) -> Int {
        bytes[place].firstIndex { $0 > 0x20 } ?? place.lowerBound
    }
}

/// What comes without an id of its own is known by its text, and is of this source.
private let importedSource = "imported"

/// A favorite that comes from nowhere that this program knows.
func importedFavorite(_ content: JokeContent, now: Timestamp) -> Keepsake {
    .favorite(Favorite(id: JokeID(source: importedSource, upstream: ""), content: content, favoritedAt: now))
}
