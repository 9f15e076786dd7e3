import JokesCore

/// Writes a file of fortune(6): a line `%` ends each text.
///
/// Two empty entries mark the file as an export, and a third one is before the jokes that are no favorites. fortune and strfile
/// skip empty entries.
struct FortuneExport: ExportWriter {
    static let emptyEntry = "%\n"
    static let start = emptyEntry + emptyEntry
    private var hasJokes = false

    func begin() -> String { Self.start }

    mutating func text(of record: ExchangeRecord) -> String {
        guard let (joke, favorite) = record.jokeWithFavorite else { return "" }
        let end = favorite == nil && !hasJokes ? Self.emptyEntry : ""
        hasJokes = favorite == nil
        // A line `%` would end the entry. A line with a space after the `%` looks the same and does not.
        let lines = joke.content.text.whole.split(separator: "\n", omittingEmptySubsequences: false)
        return end + lines.map { $0 == "%" ? "% " : $0 }.joined(separator: "\n") + "\n%\n"
    }

    func end() -> String { "" }
}

/// The index of fortune(6), as strfile(1) writes it: a header and the offset of each text, in big-endian 32-bit numbers.
package struct FortuneIndex: Sendable {
    private static let version: UInt32 = 2
    private static let markLength: UInt32 = 2

    /// The offset of each entry, and the end of the last one.
    private var offsets = [UInt32(FortuneExport.start.utf8.count)]
    private var lengths: [UInt32] = []

    package init() {}

    /// Adds a written entry with its `%` line; returns false if the file is too large for an index.
    package mutating func add(_ entry: String) -> Bool {
        let last = offsets.count - 1
        guard let end = UInt32(exactly: Int(offsets[last]) + entry.utf8.count) else { return false }
        if entry.hasPrefix(FortuneExport.emptyEntry) { offsets[last] += Self.markLength }
        lengths.append(end - offsets[last] - Self.markLength)
        offsets.append(end)
        return true
    }

    package var bytes: [UInt8] {
        let mark = UInt32(UInt8(ascii: "%")) << 24
        let flags: UInt32 = 0
        let header = [Self.version, UInt32(lengths.count), lengths.max() ?? 0, lengths.min() ?? .max, flags, mark]
        return (header + offsets).flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }
}
