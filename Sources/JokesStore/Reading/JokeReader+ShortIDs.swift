package import JokesCore
import SQLite

extension JokeReader {
    /// The minimum number of digits of a short ID.
    private static let minDigits = 6

    /// Returns the short ID that users see: `dad~204cc1` for `dad:~204cc1…`, an ID that was made from a text. Returns
    /// other IDs unchanged.
    ///
    /// A short ID has at least 6 digits, and more if they are needed to make it unique. O(log n)
    package func shortID(_ id: JokeID) throws(StoreError) -> String {
        let (text, lead) = (id.rawValue, "\(id.source):~")
        guard text.hasPrefix(lead), text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        let neighbors = try reading("shorten \(id)") {
            try connection.prepare(
                """
                SELECT max(id) FROM jokes WHERE id < ?1 UNION ALL SELECT min(id) FROM jokes WHERE id > ?1
                UNION ALL SELECT max(id) FROM favorites WHERE id < ?1 UNION ALL SELECT min(id) FROM favorites WHERE id > ?1
                """
            ).map(id) { row in try row.read(0, as: String?.self) }
        }
        let shared = neighbors.compactMap { $0?.commonPrefixLength(with: text) }.max() ?? 0
        let digits = max(Self.minDigits, shared + 1 - lead.utf8.count)
        return "\(id.source)~\(text.dropFirst(lead.count).prefix(digits))"
    }
}

extension String {
    /// Returns the length of the common prefix in bytes.
    fileprivate func commonPrefixLength(with other: String) -> Int { zip(utf8, other.utf8).prefix { $0 == $1 }.count }
}

extension JokeID {
    /// Returns the beginning of a full ID for a text that a user typed: `dad:~204cc1` for the short ID `dad~204cc1`.
    package static func prefix(from text: String) -> String {
        guard !text.contains(":"), let tilde = text.firstIndex(of: "~") else { return text }
        return "\(text[..<tilde]):\(text[tilde...])"
    }
}
