import JSON
import JokesCore

/// The counts and positions that a sync can reach. A cursor with other numbers is damaged: the sync starts over, because
/// sums of such numbers could overflow.
let reachableNumbers = 0...1_000_000_000_000

extension SourcePosition {
    /// A position that is a source's own cursor and nothing else.
    init(encoding cursor: some Encodable) {
        self.init()
        setCursor(cursor)
    }

    /// The cursor as a source's own type; nil at the beginning, and where another release wrote it in another form.
    func cursor<Cursor: Decodable>(as type: Cursor.Type) -> Cursor? {
        cursor.flatMap { try? JSONDocument(Array($0.utf8)).root.decode(type) }
    }

    /// Sets the cursor to a source's own type.
    mutating func setCursor(_ cursor: some Encodable) {
        // Cursors are strings, numbers and flags, which always encode. Without a cursor the sweep begins again.
        self.cursor = try? JSONEncoding.text(of: cursor)
    }
}
