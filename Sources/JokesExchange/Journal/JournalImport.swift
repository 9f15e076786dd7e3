import JSON
import JokesCore

/// Reads the journal of a daemon, `favorites.jsonl`: the favorites and hidden marks that result from its changes.
struct JournalImport {
    private let bytes: [UInt8]

    /// Nil if the first line is not that of a journal.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        guard let line = try? JSONDocument(Array(bytes[..<end])).root else { return nil }
        guard ["seq", "op", "sum"].allSatisfy({ line.member($0) != nil }) else { return nil }
        self.bytes = bytes
    }

    func forEachKeepsake(_ body: (Keepsake) throws -> Void) throws {
        let contents = JournalContents(bytes)
        if let index = contents.firstDamage {
            throw RefusedRecord(
                offset: index, reason: "the checksum of this line is wrong; remove the line to import the others")
        }
        let marks = Marks(contents.entries + contents.unconfirmed)
        for favorite in marks.favorites.reversed() { try body(.favorite(favorite)) }
        for mark in marks.hidden { try body(.hidden(mark)) }
    }
}
