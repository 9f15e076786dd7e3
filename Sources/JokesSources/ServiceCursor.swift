import JSON
import JokesCore

/// The counts and positions that a sync can reach. If a cursor has other numbers, whose sums could overflow, the sync
/// begins again.
let reachableNumbers = 0...1_000_000_000_000

extension SourcePosition {
    init(encoding cursor: some Encodable, _ validators: SourceState.Validators = SourceState.Validators()) {
        self.init(validators: validators)
        setCursor(cursor)
    }

    /// Returns the cursor as the type of the source; nil at the beginning, or if another release wrote it.
    func cursor<Cursor: Decodable>(as type: Cursor.Type) -> Cursor? {
        cursor.flatMap { try? JSONDocument(Array($0.utf8)).root.decode(type) }
    }

    mutating func setCursor(_ cursor: some Encodable) {
        // Cursors are strings, numbers and flags, which can always be encoded.
        self.cursor = try? JSONEncoding.text(of: cursor)
    }
}

/// The cursor of a service for which one request shows whether its jokes have changed.
///
/// It belongs to the configured requests: the planner drops the position of a source when they change.
protocol ServiceCursor: Codable {
    /// The number of syncs without changes before a full sync, which finds edits that do not show otherwise.
    static var maxUnchanged: Int { get }

    /// The number of syncs without changes since the last full sync.
    var unchanged: Int { get set }
    /// True if an earlier step can have left this cursor.
    var isPlausible: Bool { get }
}

extension ServiceCursor {
    /// A week, if the source is synced every six hours.
    static var maxUnchanged: Int { 28 }

    var isFullSyncDue: Bool { unchanged >= Self.maxUnchanged }

    /// Reads the cursor of a position; nil at the beginning, and if it is damaged or of another release.
    init?(_ position: SourcePosition) {
        guard let cursor = position.cursor(as: Self.self), cursor.isPlausible,
            reachableNumbers.contains(cursor.unchanged)
        else { return nil }
        self = cursor
    }

    /// Returns the batch of a sync without changes.
    func unchangedBatch(validators: SourceState.Validators = SourceState.Validators()) -> SourceBatch {
        var next = self
        next.unchanged += 1
        return SourceBatch(position: SourcePosition(encoding: next, validators), progress: .unchanged)
    }
}
