/// Rows that are deleted, inserted or moved, in order. Additions wrap, because a malformed difference has any positions.
///
/// The *rank* of a place is the number of other rows before it in its section: the rows that stay in order.
struct PlacedRows: Sendable {
    let rows: [ItemIndexPath]

    init(_ rows: [ItemIndexPath]) { self.rows = rows.sorted() }

    /// Returns the number of rows in the same section before a place.
    func count(before path: ItemIndexPath) -> Int { start(of: path) - start(ofSection: path.section) }

    /// Returns the rank of a place.
    func rank(of path: ItemIndexPath) -> Int { path.item &- count(before: path) }

    /// Returns true if a place has one of the rows.
    func contains(_ path: ItemIndexPath) -> Bool {
        let index = start(of: path)
        return index < rows.count && rows[index] == path
    }

    /// Returns the place of the row in a section that stays in order and has a rank.
    func place(section: Int, rank: Int) -> ItemIndexPath {
        let first = start(ofSection: section)
        let end = firstIndex(below: rows.count) { rows[$0].section > section }
        let count = firstIndex(below: end - first) { rows[first + $0].item &- $0 > rank }
        return ItemIndexPath(section: section, item: rank &+ count)
    }

    private func start(ofSection section: Int) -> Int { firstIndex(below: rows.count) { rows[$0].section >= section } }

    private func start(of path: ItemIndexPath) -> Int { firstIndex(below: rows.count) { rows[$0] >= path } }
}

/// The places that rows leave and enter, one after another. A slot is a place before or after the change. The slots of
/// the old list are full at first, those of the new list empty.
struct RowSlots {
    private let oldRows: PlacedRows
    private let newRows: PlacedRows
    /// By old row, then by new row: the section and the rank.
    private let places: [ItemIndexPath]
    /// By old row, then by new row: the index among all slots in order.
    private var order: [Int]
    /// The places of all slots in order.
    private let sorted: [ItemIndexPath]
    /// The number of full slots in ranges of slots: a Fenwick tree.
    private var tree: [Int]
    private let oldCount: Int

    /// Creates the slots of lists of sections and items. Each row stands for a slot.
    init(old: [ItemIndexPath], new: [ItemIndexPath]) {
        (oldRows, newRows) = (PlacedRows(old), PlacedRows(new))
        oldCount = old.count
        let (oldRows, newRows) = (oldRows, newRows)
        let places =
            old.map { ItemIndexPath(section: $0.section, item: oldRows.rank(of: $0)) }
            + new.map { ItemIndexPath(section: $0.section, item: newRows.rank(of: $0)) }
        let all = old + new
        // Of the slots with the same rank, the old ones are first.
        let sequence = all.indices.sorted { one, other in
            let (isNew, isOtherNew) = (one >= old.count ? 1 : 0, other >= old.count ? 1 : 0)
            return (places[one], isNew, all[one]) < (places[other], isOtherNew, all[other])
        }
        self.places = places
        sorted = sequence.map { places[$0] }
        order = Array(repeating: 0, count: all.count)
        tree = Array(repeating: 0, count: all.count + 1)
        for (index, slot) in sequence.enumerated() { order[slot] = index }
        for slot in old.indices { add(1, at: slot) }
    }

    /// Returns the current index path of the slot of an old row.
    func index(ofOld row: Int) -> ItemIndexPath { index(of: row) }

    /// Returns the current index path of the slot of a new row.
    func index(ofNew row: Int) -> ItemIndexPath { index(of: oldCount + row) }

    mutating func empty(_ oldRow: Int) { add(-1, at: oldRow) }

    mutating func fill(_ newRow: Int) { add(1, at: oldCount + newRow) }
}

extension RowSlots {
    /// Returns the current index path of a row that stays in order, given its old index path.
    func current(ofOld path: ItemIndexPath) -> ItemIndexPath {
        current(section: path.section, rank: oldRows.rank(of: path))
    }

    /// Returns the current index path of a row that stays in order, given its new index path.
    func current(ofNew path: ItemIndexPath) -> ItemIndexPath {
        current(section: path.section, rank: newRows.rank(of: path))
    }

    private func current(section: Int, rank: Int) -> ItemIndexPath {
        let end = firstIndex(below: sorted.count) { sorted[$0] > ItemIndexPath(section: section, item: rank) }
        return ItemIndexPath(section: section, item: rank &+ fullCount(before: end, section: section))
    }

    private func index(of slot: Int) -> ItemIndexPath {
        let place = places[slot]
        return ItemIndexPath(
            section: place.section, item: place.item &+ fullCount(before: order[slot], section: place.section))
    }

    /// Returns the number of full slots of a section before an index in the order of all slots.
    private func fullCount(before end: Int, section: Int) -> Int {
        let start = firstIndex(below: sorted.count) { sorted[$0].section >= section }
        return sum(before: end) - sum(before: start)
    }

    /// Returns the number of full slots before an index in the order of all slots.
    private func sum(before end: Int) -> Int {
        var (index, sum) = (end, 0)
        while index > 0 {
            sum += tree[index]
            index &= index - 1
        }
        return sum
    }

    private mutating func add(_ count: Int, at slot: Int) {
        var index = order[slot] + 1
        while index < tree.count {
            tree[index] += count
            index += index & -index
        }
    }
}
