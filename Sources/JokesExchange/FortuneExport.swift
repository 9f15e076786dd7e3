package import JokesCore

/// Writes the texts alone, as fortune(6) has them: each ended by a line that holds nothing but `%`. A joke that is a
/// favorite is in it once.
package struct FortuneExport: ExportWriter {
    private var favorites = WrittenFavorites()

    package init() {}

    package mutating func begin() -> String {
        ""
    }

    package mutating func text(of keepsake: Keepsake) -> String {
        switch keepsake {
        case .favorite(let favorite):
            favorites.insert(favorite)
            return Self.entry(favorite.content.text)
        case .joke(let joke) where !favorites.contains(joke): return Self.entry(joke.content.text)
        case .joke, .hidden: return ""
        }
    }

    package mutating func end() -> String {
        ""
    }

    private static func entry(_ text: JokeText) -> String {
        let parts = text.whole
        // A line that is nothing but the mark would end the entry; a blank behind it looks the same and does not.
        let lines = parts.split(separator: "\n", omittingEmptySubsequences: false).map { $0 == "%" ? "% " : $0 }
        return lines.joined(separator: "\n") + "\n%\n"
    }
}

/// The index that fortune(6) picks from, in the form that strfile(1) writes: a header and the offset of each text, all
/// numbers of 32 bits, the highest byte first.
package struct FortuneIndex: Sendable {
    private static let version: UInt32 = 2
    /// What ends an entry besides its text: `%` and a line feed.
    private static let markLength = 2

    private var offsets: [UInt32] = [0]
    private var longest = 0
    private var shortest = Int.max

    package init() {}

    /// Takes in an entry that was written, `%` line and all.
    ///
    /// - Returns: False where the file has become larger than an index can say.
    package mutating func add(_ entry: String) -> Bool {
        let length = entry.utf8.count
        guard let end = UInt32(exactly: Int(offsets[offsets.count - 1]) + length) else { return false }
        offsets.append(end)
        longest = max(longest, length - Self.markLength)
        shortest = min(shortest, length - Self.markLength)
        return true
    }

    /// The whole file.
    package var bytes: [UInt8] {
        let count = offsets.count - 1
        let flags: UInt32 = 0
        let mark = UInt32(UInt8(ascii: "%")) << 24
        let header = [
            Self.version, UInt32(count), UInt32(longest), count == 0 ? UInt32.max : UInt32(shortest), flags, mark,
        ]
        return (header + offsets).flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
