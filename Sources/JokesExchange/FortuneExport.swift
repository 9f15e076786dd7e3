import JokesCore

/// Writes a file of fortune(6): a line `%` ends each text. A joke that is a favorite is written once.
struct FortuneExport: ExportWriter {
    private var favorites = WrittenFavorites()

    func begin() -> String { "" }

    mutating func text(of record: ExchangeRecord) -> String {
        switch record {
        case .favorite(let favorite):
            favorites.insert(favorite)
            return Self.entry(favorite.content.text)
        case .joke(let joke) where !favorites.contains(joke): return Self.entry(joke.content.text)
        case .joke, .hidden: return ""
        }
    }

    func end() -> String { "" }

    private static func entry(_ text: JokeText) -> String {
        // A line `%` would end the entry. A line with a space after the `%` looks the same and does not.
        let lines = text.whole.split(separator: "\n", omittingEmptySubsequences: false).map { $0 == "%" ? "% " : $0 }
        return lines.joined(separator: "\n") + "\n%\n"
    }
}

/// The index of fortune(6), as strfile(1) writes it: a header and the offset of each text, in big-endian 32-bit numbers.
package struct FortuneIndex: Sendable {
    private static let version: UInt32 = 2
    private static let markLength = 2

    private var offsets: [UInt32] = [0]
    private var longest = 0
    private var shortest = Int.max

    package init() {}

    /// Adds a written entry with its `%` line; returns false if the file is too large for an index.
    package mutating func add(_ entry: String) -> Bool {
        let length = entry.utf8.count
        guard let end = UInt32(exactly: Int(offsets[offsets.count - 1]) + length) else { return false }
        offsets.append(end)
        longest = max(longest, length - Self.markLength)
        shortest = min(shortest, length - Self.markLength)
        return true
    }

    package var bytes: [UInt8] {
        let count = offsets.count - 1
        let mark = UInt32(UInt8(ascii: "%")) << 24
        let flags: UInt32 = 0
        let header = [Self.version, UInt32(count), UInt32(longest), UInt32(clamping: shortest), flags, mark]
        return (header + offsets).flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }
}
