import JokesCore

/// Writes a file of fortune(6): a line `%` ends each text.
struct FortuneExport: ExportWriter {
    func begin() -> String { "" }

    func text(of record: ExchangeRecord) -> String {
        let text: JokeText
        switch record {
        case .favorite(let favorite): text = favorite.content.text
        case .joke(let joke): text = joke.content.text
        case .hidden: return ""
        }
        // A line `%` would end the entry. A line with a space after the `%` looks the same and does not.
        let lines = text.whole.split(separator: "\n", omittingEmptySubsequences: false).map { $0 == "%" ? "% " : $0 }
        return lines.joined(separator: "\n") + "\n%\n"
    }

    func end() -> String { "" }
}

/// The index of fortune(6), as strfile(1) writes it: a header and the offset of each text, in big-endian 32-bit numbers.
package struct FortuneIndex: Sendable {
    private static let version: UInt32 = 2
    private static let markLength: UInt32 = 2

    private var offsets: [UInt32] = [0]

    package init() {}

    /// Adds a written entry with its `%` line; returns false if the file is too large for an index.
    package mutating func add(_ entry: String) -> Bool {
        guard let end = UInt32(exactly: Int(offsets[offsets.count - 1]) + entry.utf8.count) else { return false }
        offsets.append(end)
        return true
    }

    package var bytes: [UInt8] {
        let lengths = zip(offsets, offsets.dropFirst()).map { $1 - $0 - Self.markLength }
        let mark = UInt32(UInt8(ascii: "%")) << 24
        let flags: UInt32 = 0
        let header = [Self.version, UInt32(lengths.count), lengths.max() ?? 0, lengths.min() ?? .max, flags, mark]
        return (header + offsets).flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }
}
