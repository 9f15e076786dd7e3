import JokesCore
import Synchronization
import TextLayout

/// The lines of rows as they were laid out last: a key asks for those of each row on the screen several times, to
/// measure, to scroll and to show them, and most keys change few of them.
///
/// What it remembers follows from the rest of the model, all of it: models are equal whatever they remember, and their
/// copies share it.
final class RowLayouts: Equatable, Sendable {
    /// A row, and everything that its lines are made of.
    struct Row: Equatable {
        let item: Item
        let state: RowState
        let form: RowForm
    }

    private struct Memory {
        var rows: [Item.ID: (row: Row, lines: [Line])] = [:]
        var count = 0
    }

    /// Some screens of rows.
    private static let most = 500

    private let memory = Mutex(Memory())

    /// How often a row was laid out.
    var count: Int {
        memory.withLock { $0.count }
    }

    /// The lines of the row, laid out where they are not those of the last time.
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
    /// How often a row was laid out to bring the list to the screen.
    package var rowsLaidOut: Int {
        layouts.count
    }
}
