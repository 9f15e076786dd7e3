import JokesCore
import Synchronization
import TextLayout

/// A cache of the lines of rows: each key needs the lines of all rows on the screen several times.
///
/// It does not count in the comparison of models, and copies of a model share it.
final class RowLayouts: Equatable, Sendable {
    /// All inputs of the layout of a row.
    struct Row: Equatable {
        let item: Item
        let state: RowState
        let form: RowForm
    }

    private struct Memory {
        var rows: [Item.ID: (row: Row, lines: [Line])] = [:]
        var count = 0
    }

    /// A few screens.
    private static let most = 500

    private let memory = Mutex(Memory())

    /// The number of layouts.
    var count: Int {
        memory.withLock { $0.count }
    }

    func lines(of row: Row) -> [Line] {
        let id = row.item.id
        if let known = memory.withLock({ $0.rows[id] }), known.row == row { return known.lines }
        let lines = rowLines(of: row.item, row.state, row.form)
        memory.withLock { memory in
            if memory.rows.count >= Self.most { memory.rows = [:] }
            memory.rows[id] = (row, lines)
            memory.count += 1
        }
        return lines
    }

    static func == (a: RowLayouts, b: RowLayouts) -> Bool {
        true
    }
}

extension Model {
    /// The number of row layouts so far.
    package var rowsLaidOut: Int {
        layouts.count
    }
}
